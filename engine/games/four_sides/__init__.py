"""What games of cards with a number on each of their four sides share: the cards, the decks, the ready-made decks."""
