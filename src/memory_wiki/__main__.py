"""`python -m memory_wiki` is the command `memory-wiki`."""

from memory_wiki.faces.cli import main

if __name__ == "__main__":
    main()
