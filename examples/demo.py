"""The main job in a minute: write, find, edit from outside, see it found, look back, restore.

Runs the real command on a copy of `examples/vault` in a new folder, and leaves the folder for you to play with.
"""

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
COMMAND = Path(sys.executable).with_name("memory-wiki")
PAGE = "projects/shop/decisions/use-postgres-for-the-order-service.md"

MEMORY = "The order service times out after 30 s, because the load balancer does."
LINE = "- [fact] The order database runs on the machine heron ^heron"


def main() -> None:
    vault = Path(tempfile.mkdtemp(prefix="memory-wiki-demo-")) / "vault"
    shutil.copytree(HERE / "vault", vault)
    environment = {**os.environ, "MEMORY_WIKI_VAULT": str(vault)}

    def run(*args: str) -> None:
        say("1;36", f"$ memory-wiki {shlex.join(args)}")
        subprocess.run([COMMAND, *args], env=environment, check=True)
        print()

    title("A folder of Markdown pages becomes a vault: git for its history, an index for its words.")
    run("init", str(vault))
    title("Find: passages, quoted from the pages, with file, line and version.")
    run("recall", "why postgres and not sqlite", "--limit", "2")
    title("Write: a new page and its commit, found at once.")
    run("remember", MEMORY, "--type", "fact", "--tag", "orders", "--project", "shop")
    run("recall", "when does the order service time out?", "--limit", "1")
    title("Edit from outside, as Obsidian or vim would …")
    say("1;36", f"$ echo '{LINE}' >> {PAGE}")
    with (vault / PAGE).open("a", encoding="utf-8") as file:
        file.write(f"{LINE}\n")
    print()
    title("… and it is committed as you, and found.")
    run("recall", "what is heron?", "--limit", "1")
    title("Look back, and bring any version back as a new commit.")
    run("log", PAGE)
    run("restore", PAGE, "--to", "HEAD~2")
    run("diff", PAGE)
    title("Prove that index, files and history agree.")
    run("check", "--index")
    title(f"The vault is in {vault}. Open it in Obsidian, or type next:")
    print(f"  export PATH={COMMAND.parent}:$PATH MEMORY_WIKI_VAULT={vault}")
    print("  memory-wiki remember --batch examples/batch.jsonl")
    print('  memory-wiki recall "why are refunds keyed?" --why')
    print("  git -C $MEMORY_WIKI_VAULT log --stat\n")
    print("Your own vault: `memory-wiki init` without a folder, or `memory-wiki init memory` in a code repository.")


def title(text: str) -> None:
    say("1", text)


def say(code: str, text: str) -> None:
    print(f"\x1b[{code}m{text}\x1b[0m" if sys.stdout.isatty() and not os.environ.get("NO_COLOR") else text, flush=True)


if __name__ == "__main__":
    main()
