"""The same work without a browser: one file a group of commands, joined in studio/__main__.py."""
