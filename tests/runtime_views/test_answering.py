"""Who wrote a message can be shown with it (ours)."""

from lime_desktop.runtime_views.views import AnsweringModel
from tests.shell.told_session import talk


def test_a_message_and_its_line_name_the_model_that_was_asked_for_it() -> None:
    views = talk()
    assert views.answering == {
        "m_1": AnsweringModel(provider_id="embedded", model_id="smollm2-135m")
    }
    [line] = [each for each in views.timeline if each.kind == "message"]
    assert line.detail == "embedded/smollm2-135m"
