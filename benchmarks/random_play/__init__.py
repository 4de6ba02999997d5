"""What ``engine.py`` measures by and how it says what was found."""
