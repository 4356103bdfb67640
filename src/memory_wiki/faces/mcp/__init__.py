"""The Model Context Protocol: the tools, resources and prompts by which agents live in a wiki."""
