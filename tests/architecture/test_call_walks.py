"""The tool that follows a call through the files sees it from the bridge to where it ends (ours)."""

from tests.benchmarks.call_walks import WALKS, carriers, follow


def test_the_walk_of_a_stored_value_leads_from_the_bridge_to_the_database() -> None:
    entered = list(follow(*WALKS["lime.storage.set"]).entered)
    stations = ("host/bridge/session.py", "app_server/storage/service.py")
    places = [entered.index(each) for each in stations]
    assert places == sorted(places)
    # In no order: the writers of other databases may finish what came before meanwhile.
    assert "database/writer.py" in entered
    assert any(each.startswith("policy/") for each in entered)
    # What a reader has to follow; whoever adds a file to it has a reason, or finds another place.
    assert len(carriers(entered)) <= 15, carriers(entered)


def test_the_walk_of_a_workflows_run_leads_from_the_bridge_to_its_end() -> None:
    entered = list(follow(*WALKS["a workflow's run"]).entered)
    stations = [
        "app_server/workflows/starting.py",
        "app_server/workflows/driver.py",
        "app_server/workflows/steps/data.py",
        "app_server/workflows/endings.py",
    ]
    assert [each for each in entered if each in stations] == stations
