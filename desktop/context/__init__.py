"""The Context tab: exactly what the model reads, as chips, as a table, and as a budget."""
