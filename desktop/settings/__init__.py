"""The settings page and the About page."""
