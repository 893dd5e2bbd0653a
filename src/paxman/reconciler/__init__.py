"""Decides which candidate holds for each field, and how sure that is."""
