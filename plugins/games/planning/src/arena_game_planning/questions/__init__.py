"""Games of one question: factual recall and spatial tracking."""
