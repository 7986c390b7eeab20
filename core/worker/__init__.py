"""The worker process: the only place that imports transformers and torch. See protocol.py for what it is
asked."""
