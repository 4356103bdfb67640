"""How well recall does on public data: conversations become pages as anybody's do, and questions go to the real recall.

Writes only in vaults of its own making. Reads a dataset, never a person's vault but to copy its pages.
"""
