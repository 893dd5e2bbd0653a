"""Dates, times and spans of time in text."""
