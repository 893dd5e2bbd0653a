"""Native parsers in a process of their own."""
