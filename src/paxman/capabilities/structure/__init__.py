"""Values of data with a structure of their own: trees, sheets, electronic invoices and records."""
