"""What pages and agents can ask this program for. The host starts it: `lime-desktop dev .`"""

from counting import count_words
from lime_backend import Backend

backend = Backend()


@backend.method
def count(call, input):
    """`lime.tools.invoke({ key: "engine/count", input: { text } })`"""
    return count_words(input["text"], lambda done, total: call.progress(done, total))


if __name__ == "__main__":
    backend.serve()
