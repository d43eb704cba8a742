/** Tests that drive an app's page as a person would, in the real host: `lime-desktop test` runs them. */

import type { JsonValue, WorkflowRunDetails, WorkflowStep } from "./lime-app-sdk.d.ts";

export type TestBody = () => void | Promise<void>;

/** What a test points at. It is looked for anew each time; every action waits until it is there and can be used. */
export interface Locator {
  nth(index: number): Locator;
  click(): Promise<void>;
  fill(text: string): Promise<void>;
  /** Press a key where it is: `Enter`, `Escape`, `Control+k` … */
  press(keys: string): Promise<void>;
  check(wanted?: boolean): Promise<void>;
  /** Choose an option by its words or its value. */
  choose(option: string): Promise<void>;
  text(): Promise<string>;
  value(): Promise<string>;
  count(): Promise<number>;
  waitFor(): Promise<void>;
  waitForGone(): Promise<void>;
}

export interface Page {
  /** By role and accessible name, as a screen reader has it. */
  role(role: string, name?: string | RegExp): Locator;
  /** A field by its label. */
  label(label: string | RegExp): Locator;
  /** The innermost element with this text. */
  text(text: string | RegExp): Locator;
  css(selector: string): Locator;
  /** The app's own route now. */
  route(): string;
}

/** How a state fails, whatever it would have come to. */
export interface PlannedFailure {
  code?: string;
  message?: string;
  /** Whether `retry` and the like are of use. */
  retryable?: boolean;
  /** So many attempts fail, from the first one on (1); the next one is carried out. */
  attempts?: number;
}

/** What a run begins with. */
export interface RunPlan {
  /** Each state waits for `step()`. */
  stepByStep?: boolean;
  /** Where a branch leads, by its key, whatever its conditions say. */
  branches?: Record<string, string>;
  /** How states fail, by their key. */
  failures?: Record<string, PlannedFailure>;
  /** In the host in memory alone: what states come to, by their key; of the whole run by `end`. */
  outputs?: Record<string, unknown>;
}

/** A run with its steps, and what is planned for it. */
export interface RunState extends WorkflowRunDetails {
  isHeld: boolean;
  /** The states that the next step begins. */
  heldBefore: string[];
  branches: Record<string, string>;
  failures: Record<string, PlannedFailure>;
  /** How far its time is ahead of the machine's. */
  aheadS: number;
}

/** A fact of a run, as the log has it. */
export interface RunFact {
  type: string;
  /** The state that it is about; absent where it is about the whole run. */
  state?: string | null;
  payload: Record<string, JsonValue>;
}

/** A run of a workflow, led by hand. Each call gives the run once it stands still again: at its end, held, or waiting for somebody. */
export interface TestedRun {
  readonly id: string;
  /** How it stood when it was last asked. */
  state: RunState;
  /** The states that it came through, in order. */
  readonly states: string[];
  /** The newest step in a state. */
  stepIn(state: string): WorkflowStep | undefined;
  read(): Promise<RunState>;
  /** Begin the next state of a run that is held; of several ways, the next one on each. */
  step(): Promise<RunState>;
  /** Hold the run before each state. */
  hold(): Promise<RunState>;
  /** Hold it no more. */
  goOn(): Promise<RunState>;
  /** Let time pass for this run, without waiting: so many seconds, or until the next moment that it waits for. */
  skipWait(seconds?: number): Promise<RunState>;
  /** Have a branch lead to one of its states. */
  forceBranch(state: string, leadsTo: string): Promise<RunState>;
  /** Have a state fail: at once where the run is in it, else when it comes to it. */
  failState(state: string, failure?: PlannedFailure): Promise<RunState>;
  /** Answer the review or the form that the run waits for. */
  answer(answer: HostAnswer): Promise<RunState>;
  /** Tell it of the event that it waits for. */
  signal(event: string, data?: JsonValue): Promise<RunState>;
  retry(): Promise<RunState>;
  cancel(): Promise<RunState>;
  /** What stands in its log. */
  facts(): Promise<RunFact[]>;
}

/** The runs of the app's workflows. */
export interface TestWorkflows {
  /** Begin a run, as a person does on the workflow's page. */
  start(key: string, input?: JsonValue, plan?: RunPlan): Promise<TestedRun>;
  /** The newest run of a workflow, begun by whomever; waits for the first one. */
  newest(key: string): Promise<TestedRun>;
  /** What every run begins with that the app starts from now on, until the test ends. */
  plan(plan?: RunPlan): Promise<void>;
}

/** What the person decides. */
export interface HostAnswer {
  yes: boolean;
  /** What they say with it. */
  message?: string;
  /** The answer to a question in words. */
  text?: string;
  /** The filled form. */
  values?: Record<string, JsonValue>;
  /** What a reviewed content is changed into; then the answer is “approve with changes”. */
  changed?: JsonValue;
}

/** A question that the host put to the person. */
export interface HostQuestion {
  kind: string;
  action: string;
  targets: string[];
  prompt: string;
}

/** What only the person before the screen can do. */
export interface TestHost {
  /** Wait for the host's next question to the person, and decide it. */
  answer(answer: HostAnswer): Promise<HostQuestion>;
  /** Choose a file or a folder of the package's `tests` folder in the dialog that is open, or opens next. */
  chooseFile(file: string): Promise<void>;
  /** Give the app a permission that it declares, or take it back. It has every one when a test begins. */
  permit(permission: string, isGiven: boolean): Promise<void>;
  /** Have a model at hand for tasks, or none: then `lime.snapshot.models.status` is `none`, and tasks are refused. */
  model(isThere: boolean): Promise<void>;
  theme(mode: "light" | "dark"): Promise<void>;
  locale(locale: "en" | "zh-CN"): Promise<void>;
  /** Take a picture of the window into the folder of pictures. */
  screenshot(name: string): Promise<void>;
  /** Runs of the app's workflows: begun, and led by hand. */
  readonly workflow: TestWorkflows;
}

export interface Expectation {
  toBe(expected: unknown): void;
  toEqual(expected: unknown): void;
  toMatch(expected: string | RegExp): void;
}

export declare function test(name: string, body: TestBody): void;
export declare const page: Page;
export declare const host: TestHost;
export declare function expect(actual: unknown): Expectation;
/** The tests that were written since it was last asked; for the runner. */
export declare function takeTests(): { name: string; body: TestBody }[];
