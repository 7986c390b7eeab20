"""The window: the only part that imports PySide6."""
