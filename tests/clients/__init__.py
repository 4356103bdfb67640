"""Real agents: `make test-clients`."""
