/**
 * Runs of workflows, led by hand in a test: step by step, past a wait, another way, into a failure.
 *
 *     const run = await host.workflow.start("purchase", { amount: 12 }, { stepByStep: true });
 *     await run.forceBranch("check", "review");
 *     await run.step();
 *
 * Whoever gives such a run has its words carried out: the real host for page tests, the host in memory for others.
 */

/**
 * @typedef {import("./page_testing.d.ts").RunState} RunState
 * @typedef {import("./page_testing.d.ts").RunPlan} RunPlan
 * @typedef {(command: string, given: any) => Promise<any>} Ask
 */

/** One run. What it is told is there when the run stands still again. */
export class TestedRun {
  /** @type {Ask} */
  #ask;

  /** @param {Ask} ask @param {RunState} state */
  constructor(ask, state) {
    this.#ask = ask;
    /** How the run stood when it was last asked. @type {RunState} */
    this.state = state;
  }

  get id() {
    return this.state.workflowRunId;
  }

  read = () => this.#led("read");
  /** Begin the next state; of several ways, the next one on each. */
  step = () => this.#led("step");
  /** Hold the run before each state. */
  hold = () => this.#led("hold", { isHeld: true });
  /** Hold it no more. */
  goOn = () => this.#led("hold", { isHeld: false });
  /** Let time pass for this run: so many seconds, or as many as it waits for. @param {number} [seconds] */
  skipWait = (seconds) => this.#led("skipWait", seconds === undefined ? {} : { seconds });
  /** @param {string} state @param {string} leadsTo */
  forceBranch = (state, leadsTo) => this.#led("forceBranch", { state, leadsTo });
  /** @param {string} state @param {import("./page_testing.d.ts").PlannedFailure} [failure] */
  failState = (state, failure = {}) => this.#led("failState", { state, failure });
  /** Answer what the run asks a person. @param {import("./page_testing.d.ts").HostAnswer} answer */
  answer = (answer) => this.#led("answer", { answer });
  /** @param {string} event @param {unknown} [data] */
  signal = (event, data = null) => this.#led("signal", { event, data });
  retry = () => this.#led("retry");
  cancel = () => this.#led("cancel");

  /** The states that it came through, in order. */
  get states() {
    return this.state.steps.map(({ state }) => state);
  }

  /** The newest step in a state. @param {string} state */
  stepIn(state) {
    return this.state.steps.filter((step) => step.state === state).at(-1);
  }

  /** What stands in its log. @returns {Promise<import("./page_testing.d.ts").RunFact[]>} */
  facts() {
    return this.#ask("facts", { runId: this.id });
  }

  /** @param {string} command @param {object} [given] @returns {Promise<RunState>} */
  async #led(command, given = {}) {
    this.state = await this.#ask(command, { runId: this.id, ...given });
    return this.state;
  }
}

/** @param {Ask} ask */
export function workflowsOf(ask) {
  const led = (/** @type {string} */ command, /** @type {object} */ given) => ask("run", { do: command, ...given });
  return {
    /** Begin a run as a person does. @param {string} key @param {unknown} [input] @param {RunPlan} [plan] */
    start: async (key, input = null, plan = {}) => new TestedRun(led, await led("start", { key, input, plan })),
    /** The newest run of a workflow; waits for the first one. @param {string} key */
    newest: async (key) => new TestedRun(led, await led("newest", { key })),
    /** What every run begins with that the app starts from now on. @param {RunPlan} [plan] @returns {Promise<void>} */
    plan: (plan = {}) => led("plan", { plan }),
  };
}
