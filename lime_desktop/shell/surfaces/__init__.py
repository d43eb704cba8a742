"""What an open entry shows, one module per kind. `table` says which kind is shown by what."""
