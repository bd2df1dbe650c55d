import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { NONCE_MARK } from "../contract/pages.ts";

/** Where the service runs, for `npm run dev`. */
const service = "http://127.0.0.1:3000";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  html: { cspNonce: NONCE_MARK },
  build: {
    target: "es2023",
    // Browsers that know `light-dark()`.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { host: "127.0.0.1", port: 5173, strictPort: true, proxy: { "/api": service, "/docs/plain": service } },
});
