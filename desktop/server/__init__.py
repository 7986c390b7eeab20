"""The server in the window: start timeline, diagnosis, doctor, first run, and what is asked about it."""
