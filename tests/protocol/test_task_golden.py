"""One real fact of each task and approval type: what is read is what is written."""

import json
from pathlib import Path
from typing import Any, cast

import jsonschema_rs
import pytest
from pydantic import BaseModel

from lime_desktop.protocol.export.tables import TASK_SHAPES

GOLDEN = Path(__file__).resolve().parent / "golden" / "tasks"
MODELS = {shape.name: cast("type[BaseModel]", shape.type) for shape in TASK_SHAPES}


def test_every_type_has_a_fact_and_every_fact_a_type() -> None:
    """Ours: a new type is not done until a reader can see one."""
    assert {path.stem for path in GOLDEN.iterdir()} == MODELS.keys()


@pytest.mark.parametrize(("name", "model"), MODELS.items())
def test_a_fact_survives_reading_and_writing(name: str, model: type[BaseModel]) -> None:
    """The standard's shapes, field by field."""
    text = (GOLDEN / f"{name}.json").read_text("utf-8")
    written = model.model_validate_json(text).model_dump_json(by_alias=True, exclude_unset=True)
    assert json.loads(written) == json.loads(text)


def test_provenance_fits_the_published_schema(upstream_data: Path) -> None:
    """The standard's projection schema."""
    schemas = upstream_data / "agentapp" / "schemas"
    published = json.loads((schemas / "app-projection.schema.json").read_text("utf-8"))
    provenance = cast("dict[str, Any]", json.loads((GOLDEN / "Provenance.json").read_text("utf-8")))
    jsonschema_rs.validator_for(published["$defs"]["provenance"]).validate(provenance)


def test_schema_names_are_those_of_the_published_contract(upstream_data: Path) -> None:
    """The standard's runtime contract fixes both names."""
    schemas = upstream_data / "agentapp" / "schemas"
    published = json.loads((schemas / "app-runtime.schema.json").read_text("utf-8"))
    fixed = published["$defs"]["agentTask"]["properties"]
    for name, key in (("AgentTaskEvent", "eventSchema"), ("AgentTaskResult", "resultSchema")):
        assert MODELS[name].model_fields["schema_version"].default == fixed[key]["const"]
