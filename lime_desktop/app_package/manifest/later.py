"""Parts of a manifest whose rules are built only when a package has them.

Building the rules of one part takes up to 3 ms and hardly any package has every part: 15 ms less per start.
What a part allows, what is said of it when it is wrong, and its JSON Schema are as without this.
"""

from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import core_schema

ModelT = TypeVar("ModelT", bound=BaseModel)


class _Later:
    def __get_pydantic_core_schema__(
        self, source: type[BaseModel], handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        del handler  # asking it would build the rules now
        return core_schema.no_info_plain_validator_function(source.model_validate)

    def __get_pydantic_json_schema__(
        self, schema: Any, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        model: type[BaseModel] = schema["function"]["function"].__self__
        model.model_rebuild()
        return handler(model.__pydantic_core_schema__)


Later = Annotated[ModelT, _Later()]
"""A part with its own rules, which are those of the model: `install: Later[InstallContract] | None`."""
