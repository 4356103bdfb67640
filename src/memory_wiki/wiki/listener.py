"""Who hears of what goes on beside the answer: what other hands had changed, and how far long work is."""

from memory_wiki.wiki.answers import CaughtUp


class Listener:
    """Hears nothing; a face overrides what it has an ear for."""

    def caught_up(self, caught: CaughtUp) -> None:
        """A verb has caught up with the folder."""

    def progress(self, done: int, total: int) -> None:
        """So many pages of so many are indexed, or checked."""
