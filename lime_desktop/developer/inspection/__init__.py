"""What went over one view's bridge, joined, filtered and exported; and what its page was refused. No window here."""
