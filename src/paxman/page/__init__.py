"""What any document looks like once it is read: lines with cells, and the names on it. The same for every format."""
