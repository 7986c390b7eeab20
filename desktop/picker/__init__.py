"""The run bar: this model, on this engine, is in this state."""
