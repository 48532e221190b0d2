"""A manually entered card."""

GRIFFIN = ("card", "add", "--game", "arcadia", "--name", "Griffin", "--top-left", "4", "--bottom-right", "7")
ID = "arcadia:hand/griffin"
