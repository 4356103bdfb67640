"""HTTP: MCP for agents that speak it over the network, the same tools as plain JSON, and what operators watch."""
