"""What an app's pages stored goes with the app (ours)."""

from pathlib import Path

from lime_desktop.host.web_content.origin import remove_view_storage, view_storage


def test_only_the_named_apps_folder_is_removed(tmp_path: Path) -> None:
    for app_id in ("notes", "mail"):
        (view_storage(tmp_path, app_id) / "storage").mkdir(parents=True)
    remove_view_storage(tmp_path, "notes")
    assert [path.name for path in tmp_path.iterdir()] == ["mail"]


def test_removing_what_was_never_stored_is_no_failure(tmp_path: Path) -> None:
    remove_view_storage(tmp_path, "notes")


def test_no_app_id_leads_out_of_the_folder(tmp_path: Path) -> None:
    for app_id in ("..", "a/../../b", "/etc", "."):
        assert view_storage(tmp_path, app_id).resolve().parent == tmp_path.resolve()
