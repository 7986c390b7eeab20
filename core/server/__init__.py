"""The vLLM server that this program starts in Docker: Compose, states, log, diagnosis, records."""
