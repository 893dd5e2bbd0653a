"""Delimited text, such as CSV, and the tables made from rows of cells."""
