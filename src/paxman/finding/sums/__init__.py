"""Amounts of bills: their labels, their ledger, the sums that bear them out, and the currency of the page."""
