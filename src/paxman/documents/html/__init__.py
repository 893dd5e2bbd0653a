"""HTML: what a page shows, its tables, labels and structured data."""
