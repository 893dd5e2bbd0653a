"""Who a page speaks of, and where they are: letterheads, blocks of parties, addresses."""
