"""How an app comes, changes and goes: each a transaction with a way back."""
