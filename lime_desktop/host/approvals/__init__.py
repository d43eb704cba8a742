"""What apps and their agents ask a person: put, answered, remembered, taken back."""
