/**
 * Develops the web application: the service on port 3000, started anew when its files change, and pages on port 5173
 * that reload when their files change. Ctrl-C stops both.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

const ADDRESS = "http://127.0.0.1:5173";
const WATCHED = ["server", "contract", "domain"].map((folder) => `--watch-path=${folder}`);

// Links in mails then lead to the pages that reload.
const env = { WEB_URL: ADDRESS, ...process.env };
const service = spawn(process.execPath, [...WATCHED, "main.js", "serve", "--without-pages"], {
  stdio: "inherit",
  env,
});
const pages = await createServer({ configFile: fileURLToPath(new URL("../web/vite.config.ts", import.meta.url)) });
await pages.listen();
console.log(`  Pages that reload when files change: ${ADDRESS}`);
process.on("SIGINT", () => {});
await once(service, "exit");
await pages.close();
