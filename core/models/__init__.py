"""Models on disk: the known ones, the built-in one, and any local folder."""
