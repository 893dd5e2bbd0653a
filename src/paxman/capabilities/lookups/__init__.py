"""Tables that lookups read."""
