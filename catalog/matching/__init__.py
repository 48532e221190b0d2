"""The one way from what somebody wrote to a card of the catalogue."""
