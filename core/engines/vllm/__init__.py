"""The vLLM engine: any vLLM server, asked what it can tell, and never credited with more."""
