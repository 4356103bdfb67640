"""What a word counts by where it stands, and by how it is written. Numbers only: `words` asks by them."""

import re

WEIGHTS = {"title": 1.5, "tags": 1.0, "heading": 1.0, "body": 1.0, "near": 0.9}
"""What a word is worth by where it stands. Title, aliases and tags are fields of a page's first passage, lest a
long page fill an answer with passages that say nothing more; the others have the title among their headings.

`near` is what was said right before and after a turn of a conversation. On LoCoMo's, with vectors: any@5 .730 at .5,
.742 at .7, .743 at 1; on BEAM's long ones recall@10 falls from .61 at .7 to .59 at 1.
"""

TIE = 0.3
"""What a word is worth in its other fields for one part of its best one: a title's words stand in the text as well, and
tell no more for that. Of 60 questions on a help vault .58 find their page first so, .52 by the sum.
"""

NAME = 1.5
"""What an identifier, such as `pool.max_size` or `--force`, is worth for one word: who types it means just that. Of 60
questions on a help vault the page is among the first five for .78 so, .77 without."""


FIELDS = tuple(WEIGHTS)
EXPLAINED = (("title",), ("tags",), ("heading",), ("body", "near"))

IS_NAME = re.compile(r"^--|\w[._/:@#=\\]\w|[a-z]\d|\d[a-z]")
"""A word that is one, folded."""
