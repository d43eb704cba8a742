/** The list, and what a person does to it. */

import { LimeError, type LimeRuntime } from "@lime/app-sdk";
import { type FormEvent, useEffect, useState } from "react";

import { addItem, readItems, removeItem } from "./items.js";
import { textsFor } from "./texts.js";

type Item = { id: string; text: string };

export function App({ lime }: { lime: LimeRuntime }) {
  const texts = useTexts(lime);
  const [items, setItems] = useState<Item[]>();
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");

  /** Do something, show the list as it is then, and say in plain words where the host refuses. */
  async function attempt(action: () => Promise<Item[]>): Promise<void> {
    setProblem("");
    try {
      setItems(await action());
    } catch (error) {
      if (!(error instanceof LimeError)) throw error;
      setProblem(error.userAction ?? error.message);
    }
  }

  async function add(event: FormEvent): Promise<void> {
    event.preventDefault();
    await attempt(() => addItem(lime, text));
    setText("");
  }

  useEffect(() => void attempt(() => readItems(lime)), [lime]);

  return (
    <main>
      <h1>{"{{title}}"}</h1>
      <form className="row" onSubmit={add}>
        <input className="wide" aria-label={texts("new")} placeholder={texts("new.hint")} maxLength={200} value={text} onChange={(event) => setText(event.target.value)} />
        <button className="primary">{texts("add")}</button>
      </form>
      {problem && <p className="problem" role="alert">{problem}</p>}
      <ul aria-label={texts("items")}>
        {items?.map((item) => (
          <li className="row" key={item.id}>
            <span className="wide">{item.text}</span>
            <button aria-label={texts("remove.named", { text: item.text })} onClick={() => attempt(() => removeItem(lime, item.id))}>
              {texts("remove")}
            </button>
          </li>
        ))}
      </ul>
      {items?.length === 0 && <p className="muted">{texts("empty")}</p>}
    </main>
  );
}

/** The words of the person's language, now and whenever it changes. */
function useTexts(lime: LimeRuntime) {
  const [locale, setLocale] = useState(lime.snapshot.host.locale);
  useEffect(() => lime.onSnapshot(({ host }) => setLocale(host.locale)), [lime]);
  return textsFor(locale);
}
