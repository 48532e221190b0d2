"""What a person owns: entered, brought in from files, found, exported."""
