"""Derived: may be deleted at any moment, and holds nothing that the pages do not."""
