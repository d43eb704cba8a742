import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

import { limeSdk } from "./.lime/sdk/vite.js";

export default defineConfig({
  plugins: [react(), limeSdk()],
  // The words in `dist/ui/locales` are sources as well: the host reads them.
  build: { outDir: "dist/ui", emptyOutDir: false, target: "es2022" },
  server: { port: 5173, strictPort: true },
});
