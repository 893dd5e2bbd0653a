"""Documents: bytes in, text with an address for every character and its structure out."""
