"""The seven read models and the conversation, put together from stored rows. Writes nothing."""
