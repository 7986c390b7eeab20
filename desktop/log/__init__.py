"""The log dock: what the worker process writes, line by line."""
