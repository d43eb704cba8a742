/** A host for an app's own unit tests: the same messages and the same codes, everything in memory. */

import type { TestWorkflows } from "./page_testing.d.ts";
import type { AppErrorCode, FileRef, HostSnapshot, JsonValue, Transport } from "./lime-app-sdk.d.ts";

export interface MockHostOptions {
  appId?: string;
  entryKey?: string;
  /** What the manifest declares; a call of anything else is refused with `APP_E005`. Left out: everything. */
  declared?: string[];
  /** What the snapshot says otherwise than usual. */
  snapshot?: Partial<HostSnapshot>;
  /**
   * The workflows whose runs move, by their keys, each as its file has it. What a state comes to and where a branch
   * leads stands in the plan of a run (`outputs`, `branches`): nothing is read from expressions, and no effect is had.
   */
  workflows?: Record<string, MockWorkflow>;
}

/** A workflow for the host in memory. It leads no `parallel` and no `sub-workflow`. */
export interface MockWorkflow {
  states: ({ key: string; kind: string } & Record<string, unknown>)[];
  recovery?: Record<string, unknown>;
}

export interface MockCall {
  capability: string;
  method: string;
  input?: unknown;
}

/** What a call gets: a value, now or later. */
export type MockAnswer = (input: any) => unknown;

export interface MockHost {
  /** Give it to `getLimeRuntime`. */
  readonly transport: Transport;
  /** Every call so far, in its order. */
  readonly calls: MockCall[];
  /** Answer a call; storage, runs of workflows (those of `workflows` move), lime.events and the host actions are answered without. */
  answer(capability: string, method: string, answer: MockAnswer): void;
  /** Refuse a call as the real host does. */
  refuse(capability: string, method: string, code: AppErrorCode, details?: Record<string, JsonValue>): void;
  /** Send an event to whoever subscribed to the topic. */
  publish(capability: string, topic: string, event: object): void;
  /** Open files with the app, as a person does from outside; they wait until the page asks for `lime.files.opened()`. */
  openFiles(...files: FileRef[]): void;
  /** Change the snapshot: locale, theme, readiness … */
  update(changes: Partial<HostSnapshot>): void;
  setVisible(visible: boolean): void;
  /** Runs of `workflows`, begun and led by hand as in page tests. */
  readonly workflow: TestWorkflows;
}

export declare function createMockHost(options?: MockHostOptions): MockHost;
