"""People at a terminal: prompts, the keyboard game, forms and entry sessions."""
