"""Shows reports: numbers and tables as text, figures, documents, and exports of matches."""
