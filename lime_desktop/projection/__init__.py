"""What would this app add? Pure and deterministic: manifest in, catalogue objects out."""
