"""The sampling dock: how the next token is drawn, and what stands out in this answer."""
