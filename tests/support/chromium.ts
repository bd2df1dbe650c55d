import { type BrowserServer, chromium } from "playwright-core";
import { findChromium, NO_CHROMIUM } from "../../scripts/chromium.ts";

/** Tests run as root in containers, without graphics; the rest keeps Chromium from asking its maker's servers. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--disable-dev-shm-usage",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Starts Chromium, which others connect to by its address. It ends with this process whatever happens, but not at a
 * signal: the process that started it closes it then. Throws, with what to install, where there is none.
 */
export async function launchChromium(): Promise<BrowserServer> {
  const executablePath = findChromium();
  if (executablePath === null) throw new Error(NO_CHROMIUM);
  const onSignal = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  return await chromium.launchServer({ executablePath, args: FLAGS, ...onSignal });
}
