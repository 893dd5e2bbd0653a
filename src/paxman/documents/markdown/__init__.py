"""Markdown as GitHub writes it: the text without its marks, and what they say about it."""
