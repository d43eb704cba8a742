"""What an app did or wants to do, in words: never the name of a call, where there are better ones."""

from lime_desktop.host.texts import Texts


def doing_words(action: str, texts: Texts) -> str:
    """An action such as `lime.storage.set` as a person would say it; what is no call of ours stays as it is."""
    name, _, rest = action.partition(" ")
    capability = name.rpartition(".")[0] if name.startswith("lime.") else ""
    key = f"doing.{capability}"
    words = texts(key)
    if not capability or words == key:
        return action
    return f"{words} {rest}".rstrip()
