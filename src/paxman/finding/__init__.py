"""How a field is found: what it asks for, which names on the page answer, and which values belong to them."""
