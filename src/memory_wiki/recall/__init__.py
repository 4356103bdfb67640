"""Answers. Reads pages and the index; never writes a page."""
