"""A browser's view of the catalogue, served by Datasette, and the guard of local servers."""
