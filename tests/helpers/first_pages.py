"""The pages whose commands run in an empty folder, as at a newcomer's."""

FIRST_PAGES = (
    "README.md",
    "docs/install.md",
    *(f"docs/start-{name}.md" for name in ("play", "shoebox", "collection", "shell", "design")),
)
WITH_CARDS = ("docs/troubleshooting.md", "docs/upkeep.md")
"""The pages for those who have imported cards already."""
