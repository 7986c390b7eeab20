"""The local engine: transformers in the worker process, behind the Engine protocol."""
