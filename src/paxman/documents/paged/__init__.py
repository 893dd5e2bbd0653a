"""Pages that a helper has set as text, from PDF files and images."""
