"""How matches ended and what was refused."""
