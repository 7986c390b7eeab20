"""What every feature of the window shares; nothing in here knows a feature."""
