"""Word processors, spreadsheets and slides."""
