/** Connects to the host, then shows the app. */

import { getLimeRuntime, syncTheme } from "@lime/app-sdk";
import { createRoot } from "react-dom/client";

import { App } from "./app";
import "./styles.css";

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no #root");
const lime = await getLimeRuntime();
syncTheme(lime);
createRoot(root).render(<App lime={lime} />);
