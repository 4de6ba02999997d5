"""``arena run``."""
