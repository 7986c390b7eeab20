"""The Model tab: what the model and its engine are, and what they can show."""
