/**
 * Leads the runs of workflows in memory, one state after the other, for an app's own tests.
 *
 * It knows states, ways, waits, people and recovery. What a state comes to, and where a branch leads, the test says:
 * expressions are read and effects had by the real host alone.
 */

const NOT_HERE = ["parallel", "sub-workflow"];
const RETRYING = ["retry", "show_error_and_retry", "retry_with_longer_timeout"];
const SHOWING = ["show_error_and_allow_retry", "show_error_and_retry"];
const USUAL_RETRIES = 3;
const UNITS = /** @type {Record<string, number>} */ ({ ms: 0.001, s: 1, m: 60, h: 3_600, d: 86_400 });
const ENDED = ["succeeded", "failed", "cancelled"];

/** @param {unknown} written */
function secondsOf(written) {
  const found = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(String(written));
  if (found === null) throw new Error(`“${written}” is no time such as 60s, 5m, 2h or 3d.`);
  return Number(found[1]) * UNITS[found[2]];
}

/** A run that moves. */
export class MovingRun {
  #states;
  #recovery;
  #first;
  #mayBegin = false;
  #now = Date.now();
  /** @type {{type: string, state: string | null, payload: object}[]} */
  facts = [];

  /** @param {any} run the record that is told to the app @param {any} definition @param {any} plan */
  constructor(run, definition, plan) {
    const foreign = definition.states.find((/** @type {any} */ { kind }) => NOT_HERE.includes(kind));
    if (foreign) throw new Error(`The host in memory leads no ${foreign.kind}: test \`${foreign.key}\` by \`lime-desktop test\`.`);
    this.run = run;
    this.plan = { isHeld: Boolean(plan.stepByStep), branches: { ...plan.branches }, failures: { ...plan.failures }, outputs: plan.outputs ?? {} };
    this.aheadS = 0;
    this.#states = new Map(definition.states.map((/** @type {any} */ state) => [state.key, state]));
    this.#first = definition.states[0].key;
    this.#recovery = definition.recovery ?? {};
    this.#note("job.created");
    this.#lead();
  }

  /** How it stands, as the real host tells a test. */
  told() {
    const { isHeld, branches, failures } = this.plan;
    return structuredClone({ ...this.run, isHeld, branches, failures, aheadS: this.aheadS, heldBefore: isHeld ? this.#beginning() : [] });
  }

  step() {
    if (!this.plan.isHeld) throw new Error("The run is not held: hold it first, and take its steps then.");
    if (this.#beginning().length === 0) throw new Error("No state of the run can begin now: it waits for something.");
    this.#mayBegin = true;
    this.#lead();
  }

  /** @param {boolean} isHeld */
  hold(isHeld) {
    this.plan.isHeld = isHeld;
    this.#lead();
  }

  /** @param {number} [seconds] */
  skipWait(seconds) {
    const due = this.#last?.dueAt;
    if (seconds === undefined && due === undefined) throw new Error("The run waits for no moment.");
    const passed = seconds ?? Math.max((Date.parse(due) - this.#now) / 1_000, 0);
    this.aheadS += passed;
    this.#now += passed * 1_000;
    this.#lead();
  }

  /** @param {string} state @param {string} leadsTo */
  forceBranch(state, leadsTo) {
    if (this.#state(state).kind !== "branch") throw new Error(`\`${state}\` is no branch.`);
    if (!waysOf(this.#state(state)).includes(leadsTo)) throw new Error(`\`${state}\` has no way to \`${leadsTo}\`.`);
    this.plan.branches[state] = leadsTo;
  }

  /** @param {string} state @param {any} failure */
  failState(state, failure) {
    this.#state(state);
    const last = this.#last;
    const isIn = last?.state === state && last.status === "waiting" && last.waitsFor !== "retry";
    this.plan.failures[state] = { ...failure, attempts: (failure.attempts ?? 1) + (isIn ? last.attempt - 1 : 0) };
    if (isIn && !last.isBackOff) this.#attempt(last);
    this.#lead();
  }

  /** @param {any} answer */
  answer({ yes, message = null, values = {}, changed }) {
    const step = this.#last;
    if (!["review", "input"].includes(step?.waitsFor)) throw new Error("The run asks nobody anything.");
    const state = this.#state(step.state);
    if (step.waitsFor === "input") {
      if (yes) this.#done(step, values, state.next, { decidedBy: "person" });
      else this.#failed(step, { code: "APP_E027", message: "The form was not filled in.", retryable: false });
    } else {
      this.#decided(step, yes ? (changed === undefined ? "approve" : "modify") : "reject", changed, message, "person");
    }
    this.#lead();
  }

  /** @param {string} event @param {unknown} data */
  signal(event, data) {
    const step = this.#last;
    const state = step && this.#state(step.state);
    if (step?.waitsFor !== "event" || state.event !== event) throw new Error("The run does not wait for this event.");
    this.#done(step, data, state.next);
    this.#lead();
  }

  retry() {
    const step = this.#last;
    if (step?.waitsFor !== "retry" && this.run.status !== "failed") throw new Error("Nothing in this run waits to be tried again.");
    Object.assign(this.run, { status: "running", error: undefined, finishedAt: undefined });
    step.attempt += 1;
    this.#attempt(step);
    this.#lead();
  }

  cancel() {
    this.#end("cancelled", null);
  }

  get #last() {
    return this.run.steps.at(-1);
  }

  /** @param {string} key @returns {any} */
  #state(key) {
    const found = this.#states.get(key);
    if (found === undefined) throw new Error(`The workflow has no state \`${key}\`.`);
    return found;
  }

  #beginning() {
    const last = this.#last;
    if (ENDED.includes(this.run.status) || this.run.status === "paused") return [];
    if (last === undefined) return [this.#first];
    return ["waiting", "running"].includes(last.status) ? [] : last.next;
  }

  #lead() {
    for (;;) {
      const [key] = this.#beginning();
      if (key !== undefined) {
        if (this.plan.isHeld && !this.#mayBegin) return;
        this.#mayBegin = false;
        this.#begin(this.#state(key));
      } else if (!this.#looked()) return;
    }
  }

  /** Whether a moment had come that the run waited for. */
  #looked() {
    const step = this.#last;
    if (this.run.status !== "waiting" || step?.dueAt === undefined || Date.parse(step.dueAt) > this.#now) return false;
    const state = this.#state(step.state);
    if (step.isBackOff) {
      step.attempt += 1;
      this.#attempt(step);
    } else if (state.kind === "wait") {
      this.#done(step, null, state.next);
    } else this.#overdue(step, state);
    return true;
  }

  /** @param {any} step @param {any} state */
  #overdue(step, state) {
    const word = state.onDeadline ?? "fail";
    if (state.kind === "human-review" && ["approve", "reject"].includes(word)) this.#decided(step, word, undefined, null, "deadline");
    else if (this.#states.has(word)) this.#done(step, null, word, { decidedBy: "deadline" });
    else this.#failed(step, { code: "APP_E302", message: "Nobody answered before the deadline.", retryable: true }, true);
  }

  /** @param {any} state */
  #begin(state) {
    const step = { stepId: `${this.run.workflowRunId}-${this.run.steps.length + 1}`, state: state.key, title: state.title ?? state.key,
      kind: state.kind, status: "running", attempt: 1, startedAt: this.#moment(), next: [], input: null, output: null, costUsd: 0, isInherited: false };
    this.run.steps.push(step);
    this.#attempt(step);
  }

  /** @param {any} step */
  #attempt(step) {
    const state = this.#state(step.state);
    for (const name of ["waitsFor", "dueAt", "isBackOff", "error", "decidedBy", "decision"]) delete step[name];
    Object.assign(step, { status: "running", next: [] });
    this.#stand("running", step);
    this.#note("job.item.started", step);
    const failure = this.plan.failures[state.key];
    if (failure !== undefined && step.attempt <= (failure.attempts ?? 1)) {
      const { code = "APP_E307", message = "The developer had this state fail.", retryable = true } = failure;
      step.decidedBy = "developer";
      return this.#failed(step, { code, message, retryable });
    }
    this.#carryOut(step, state);
  }

  /** @param {any} step @param {any} state */
  #carryOut(step, state) {
    switch (state.kind) {
      case "branch":
        return this.#branched(step, state);
      case "human-review":
        return this.#wait(step, "review", state.deadline);
      case "user-input":
        return this.#wait(step, "input", state.deadline);
      case "wait":
        return state.event ? this.#wait(step, "event") : this.#wait(step, "time", state.for ?? Math.max(Date.parse(state.until) - this.#now, 0) + "ms");
      case "end":
        step.status = "succeeded";
        return this.#end(state.status ?? "succeeded", this.#outputOf(state));
      default:
        return this.#done(step, this.#outputOf(state), state.next);
    }
  }

  /** @param {any} step @param {any} state */
  #branched(step, state) {
    const leadsTo = this.plan.branches[state.key];
    if (leadsTo !== undefined) return this.#done(step, null, leadsTo, { decidedBy: "developer" });
    const message = `The host in memory reads no conditions: say where \`${state.key}\` leads.`;
    this.#failed(step, { code: "invalid_input", message, retryable: false }, true);
  }

  /** @param {any} step @param {"approve" | "modify" | "reject"} decision @param {unknown} changed @param {string | null} note @param {string} decidedBy */
  #decided(step, decision, changed, note, decidedBy) {
    const { key, next } = this.#state(step.state);
    const ways = next !== null && typeof next === "object" ? next : { approve: next, modify: next };
    const output = decision === "reject" ? { decision, note } : changed ?? this.#outputOf({ key });
    if (decision !== "reject" || ways.reject) return this.#done(step, output, ways[decision], { decision, decidedBy });
    Object.assign(step, { status: "succeeded", output, decision, decidedBy });
    this.#end("cancelled", output);
  }

  /** @param {{key: string}} state */
  #outputOf({ key }) {
    const said = this.plan.outputs[key] ?? null;
    return typeof said === "function" ? said(structuredClone(this.run)) : said;
  }

  /** @param {any} step @param {string} waitsFor @param {string} [time] */
  #wait(step, waitsFor, time) {
    Object.assign(step, { status: "waiting", waitsFor });
    if (time !== undefined) step.dueAt = new Date(this.#now + secondsOf(time) * 1_000).toISOString();
    this.#stand("waiting", step);
    this.#note("job.progress", step);
  }

  /** @param {any} step @param {unknown} output @param {string | undefined} next @param {object} [more] */
  #done(step, output, next, more = {}) {
    for (const name of ["waitsFor", "dueAt", "isBackOff"]) delete step[name];
    const leadsOn = next !== undefined && this.#states.has(next);
    Object.assign(step, { status: "succeeded", output: output ?? null, next: leadsOn ? [next] : [], ...more });
    this.#stand("running", step);
    this.#note("job.item.completed", step);
    if (!leadsOn) this.#end("succeeded", this.#outputOf({ key: "end" }));
  }

  /** @param {any} step @param {any} error @param {boolean} [isFinal] */
  #failed(step, error, isFinal = false) {
    for (const name of ["waitsFor", "dueAt", "isBackOff"]) delete step[name];
    Object.assign(step, { status: "failed", error });
    this.#note("job.item.failed", step);
    const state = this.#state(step.state);
    const word = state.onError ?? this.#recovery.onError ?? "fail";
    const stated = state.retry?.max ?? 0;
    const most = RETRYING.includes(word) ? stated || this.#recovery.maxRetries || USUAL_RETRIES : stated;
    if (!isFinal && step.attempt <= most) {
      const wait = secondsOf(state.retry?.wait ?? "2s") * (state.retry?.factor ?? 2) ** (step.attempt - 1);
      this.#wait(step, "time", `${Math.min(wait, secondsOf(state.retry?.longest ?? "60s"))}s`);
      step.isBackOff = true;
    } else if (SHOWING.includes(word)) this.#wait(step, "retry");
    else if (word === "skip" || this.#states.has(word)) {
      const next = word === "skip" ? state.next : word;
      step.next = this.#states.has(next) ? [next] : [];
      if (step.next.length === 0) this.#end("succeeded", null);
    } else {
      this.run.error = error;
      this.#end("failed", null);
    }
  }

  /** @param {string} status @param {any} step */
  #stand(status, step) {
    Object.assign(this.run, { status, state: step.state, states: [step.state], waitsFor: step.waitsFor, dueAt: step.dueAt });
  }

  /** @param {string} status @param {unknown} output */
  #end(status, output) {
    Object.assign(this.run, { status, output, waitsFor: undefined, dueAt: undefined, finishedAt: this.#moment() });
    this.#note(`job.${status === "succeeded" ? "completed" : status}`);
  }

  #moment() {
    return new Date(this.#now).toISOString();
  }

  /** @param {string} type @param {any} [step] */
  #note(type, step) {
    this.facts.push({ type, state: step?.state ?? null, payload: structuredClone(step ?? {}) });
  }
}

/** @param {any} state @returns {string[]} */
function waysOf({ cases = [], next }) {
  return [...cases.map((/** @type {any} */ each) => each.next ?? each.else), next].filter((each) => typeof each === "string");
}
