"""The catalogue in a browser: how it is described, and how it is served to this machine."""
