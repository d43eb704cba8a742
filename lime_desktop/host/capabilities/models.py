"""lime.models: which models could do a task here, as the App Server routes them."""

from pydantic import BaseModel

from lime_desktop.host.app_tasks import AppTasks
from lime_desktop.host.capabilities.handler import Handlers, HandlerServices
from lime_desktop.protocol.calls.models import LIST_MODELS, ListModelsParams, ModelDescription
from lime_desktop.protocol.capability_calls.models import (
    EstimateCostParams,
    EstimateCostResult,
    GetRoutingResult,
    ListModelsResult,
    Model,
    ModelRoute,
    SelectModelParams,
    SelectModelResult,
    TaskKindParams,
)
from lime_desktop.protocol.ids import JsonObject
from lime_desktop.protocol.task_events import Cost

_ANY = "any"


def handlers(services: HandlerServices) -> Handlers:
    """The handlers of one view by the name of their call."""
    tasks = AppTasks(services.call, services.provenance, services.approvals.follow_run)

    async def usable() -> tuple[ModelDescription, ...]:
        asked = ListModelsParams(include_unavailable=False)
        return (await services.call(LIST_MODELS, asked)).models

    async def list_all(_: TaskKindParams) -> BaseModel:
        return ListModelsResult(models=tuple(_model(each) for each in await usable()))

    async def select(params: SelectModelParams) -> BaseModel:
        wanted = set(_texts(params.constraints, "capabilities"))
        fitting = [each for each in await usable() if wanted <= set(each.capabilities)]
        if not fitting:
            return SelectModelResult(status="unavailable", reason="No model that is set up fits")
        return SelectModelResult(status="selected", model=_model(fitting[0]))

    async def get_routing(params: TaskKindParams) -> BaseModel:
        route = ModelRoute(
            task_kind=params.task_kind or _ANY,
            candidates=tuple(_model(each) for each in await usable()),
            reason="In the person's own order, as far as a model can do what the task needs",
        )
        return GetRoutingResult(routes=(route,))

    async def estimate_cost(params: EstimateCostParams) -> BaseModel:
        earlier = await tasks.since("")
        costs = [
            task.result.cost.amount
            for task in earlier
            if task.task_kind == params.task_kind and task.result and task.result.cost
        ]
        if not costs:
            return EstimateCostResult(status="unknown", sample_size=0)
        cost = Cost(amount=sum(costs) / len(costs))
        return EstimateCostResult(status="estimated", sample_size=len(costs), cost=cost)

    return {
        "lime.models.list": list_all,
        "lime.models.select": select,
        "lime.models.getRouting": get_routing,
        "lime.models.estimateCost": estimate_cost,
    }


def _model(described: ModelDescription) -> Model:
    return Model(
        provider=described.provider_id,
        model=described.model_id,
        label=described.title,
        context_tokens=described.context_tokens,
        is_local=described.is_local,
    )


def _texts(constraints: JsonObject | None, name: str) -> list[str]:
    listed = (constraints or {}).get(name)
    return [str(each) for each in listed] if isinstance(listed, list) else []
