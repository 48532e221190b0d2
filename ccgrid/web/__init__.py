"""What `ccgrid serve` shows in a browser: pages made of pictures and services, and the server that guards them."""
