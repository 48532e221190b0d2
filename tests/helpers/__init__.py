"""What tests share: each module says in its first line what it makes."""
