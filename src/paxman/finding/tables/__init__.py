"""Rows and lists: which columns a table has, which lines are rows, and what the cells say."""
