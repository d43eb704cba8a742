/** Tests that drive an app's page as a person would, in the real host: `lime-desktop test` runs them. */

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

/** What the person decides. */
export interface HostAnswer {
  yes: boolean;
  /** What they say with it. */
  message?: string;
  /** The answer to a question in words. */
  text?: string;
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
