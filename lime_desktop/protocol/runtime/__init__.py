"""The facts of a running agent: events, what each must carry, and the read models folded from them."""
