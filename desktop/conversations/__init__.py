"""The conversations dock: chats by day, to open, rename and delete."""
