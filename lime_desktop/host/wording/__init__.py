"""What the host says, in the person's language: tables of texts, and facts turned into sentences. Pure."""
