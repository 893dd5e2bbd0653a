"""What must hold between fields: sums, periods, and checks of the contract."""
