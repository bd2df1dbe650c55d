import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { NONCE_MARK } from "../contract/pages.ts";

/** Where the service runs, for `npm run dev`. */
const service = "http://127.0.0.1:3000";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  html: { cspNonce: NONCE_MARK },
  // Otherwise Vite looks for a configuration of PostCSS for each style, which takes a third of the build.
  css: { postcss: { plugins: [] } },
  build: {
    target: "es2023",
    // Browsers that know `light-dark()`.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // For the server, which names the files of each page in the page.
    manifest: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // By default what two pages share is a file of its own, forty for the editor: more round trips than bytes.
          groups: [
            { name: "libraries", test: /node_modules/, tags: ["$initial"], priority: 4 },
            { name: "app", tags: ["$initial"], priority: 3 },
            {
              name: "shared",
              test: /src[\\/](ui|api)[\\/]|queries\.ts$|react-(query|router)/,
              minShareCount: 2,
              priority: 2,
            },
            { name: "trees", test: /domain[\\/]|tree-ids/, minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
  server: { host: "127.0.0.1", port: 5173, strictPort: true, proxy: { "/api": service, "/docs/plain": service } },
});
