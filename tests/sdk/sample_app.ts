// What an app author writes against the declarations; it must compile under --strict.

import {
  getLimeRuntime,
  syncTheme,
  type AgentTaskEvent,
  type AppMessage,
  type HostMessage,
  type LimeError,
  type StableCode,
} from "../../resources/sdk/lime-app-sdk";

interface Asset {
  id: string;
  title: string;
  score: number;
}

// The example of the standard, line by line.
export async function standardExample(input: Asset, idempotencyKey: string): Promise<void> {
  const lime = await getLimeRuntime();
  await lime.ui.registerRoute({ path: "/calendar", title: "Calendar" });
  const table = lime.storage.table<Asset>("content_assets");
  await table.upsert(input);
  const task = await lime.agent.startTask({ entry: "batch_copy", input, idempotencyKey });
  const hits = await lime.knowledge.search({ template: "project_knowledge", query: "tone", topK: 8 });
  const parsed = await lime.tools.invoke({ key: "document_parser", input });
  const artifact = await lime.artifacts.create({ type: "strategy_report", data: parsed.output });
  const run = await lime.workflow.start({ key: "content_calendar", input });
  await lime.evidence.record({ subject: artifact.id, sources: hits });
  await lime.evidence.record({ subject: run.workflowRunId, message: task.taskId });
}

// The names of the published SDK mean the same.
export async function publishedNames(): Promise<number> {
  const lime = await getLimeRuntime({ appId: "demo", entryKey: "dashboard" });
  const { records } = await lime.knowledge.search({ query: "tone", limit: 3 });
  await lime.tools.invoke({ tool: "document_parser" });
  await lime.workflow.start({ workflowKey: "content_calendar" });
  await lime.artifacts.create({ kind: "report", title: "Plan", content: { pages: 3 } });
  return records.length;
}

export async function follow(taskId: string, signal: AbortSignal): Promise<AgentTaskEvent[]> {
  const lime = await getLimeRuntime();
  const stop = syncTheme(lime);
  const seen: AgentTaskEvent[] = [];
  for await (const event of lime.agent.events(taskId, { signal })) {
    seen.push(event);
    if (event.type === "result") break;
  }
  stop();
  return seen;
}

export async function rows(): Promise<string[]> {
  const lime = await getLimeRuntime();
  const page = await lime.storage.table<Asset>("content_assets").query({
    where: { score: { gte: 3 }, title: "Spring" },
    orderBy: [{ field: "score", direction: "desc" }],
    limit: 20,
  });
  return page.rows.map((row) => row.title);
}

export function advice(error: LimeError): StableCode | "retry" {
  return error.retryable && error.appErrorCode === "APP_E010" ? "retry" : error.code;
}

export function describe(message: AppMessage | HostMessage): string {
  switch (message.type) {
    case "capability:invoke":
      return `${message.payload.capability}.${message.payload.method}`;
    case "host:error":
      return message.payload.stableCode;
    case "host:snapshot":
      return message.payload.theme.effectiveThemeMode;
    default:
      return message.type;
  }
}

export async function refused(): Promise<never> {
  const lime = await getLimeRuntime();
  return lime.browser.open({ url: "https://example.com" });
}

export async function mistakes(): Promise<void> {
  const lime = await getLimeRuntime();
  // @ts-expect-error a tool needs a name, under either spelling
  await lime.tools.invoke({ input: {} });
  // @ts-expect-error a key is text
  await lime.storage.get({ key: 7 });
  // @ts-expect-error there is no such method
  await lime.storage.drop();
}
