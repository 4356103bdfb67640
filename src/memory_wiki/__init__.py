"""Shared memory for coding agents and people: Markdown pages in git. Holds the version, imports nothing."""

__version__ = "0.1.0"
