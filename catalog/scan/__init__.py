"""Reading cards off pictures: finding them, straightening them, and the numerals on them with their places."""
