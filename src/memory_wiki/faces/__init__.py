"""One protocol each, and no rules."""
