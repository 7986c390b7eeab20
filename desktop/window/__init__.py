"""The main window: where the panels stand, what the keys do, what is remembered."""
