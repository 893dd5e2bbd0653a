"""Numbers, amounts and currencies in text."""
