"""Gives the packaged app its name; everything is in `desktop`."""
