"""How budgets count: a rule that anyone can check, rather than one model's tokenizer."""

BYTES_PER_TOKEN = 4


def tokens(text: str) -> int:
    """The size of `text` in tokens: one for every four bytes of its UTF-8, rounded up."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // BYTES_PER_TOKEN)
