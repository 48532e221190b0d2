"""What a terminal, a page or a script calls: no typer, no rich, no standard input or output."""
