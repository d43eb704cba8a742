/** Connects to the host, then shows the app. */

import { getLimeRuntime, syncTheme } from "@lime/app-sdk";
import { createApp } from "vue";

import App from "./app.vue";
import "./styles.css";

const lime = await getLimeRuntime();
syncTheme(lime);
createApp(App, { lime }).mount("#root");
