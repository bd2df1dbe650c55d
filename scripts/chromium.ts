/** Finds the Chromium that browser tests run in. As a program: says in one line what to install if there is none. */
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";

/** The first is the one without windows: it takes two thirds of the work. */
const NAMES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
];
const MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

export const NO_CHROMIUM =
  "The tests of the web application need Chromium: install it (Debian: apt-get install chromium), run npx playwright-core install chromium, or set CHROMIUM_PATH";

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns the path of Chromium: `CHROMIUM_PATH`, the system's, or Playwright's download; null where there is none. */
export function findChromium(env: Readonly<Record<string, string | undefined>> = process.env): string | null {
  if (env.CHROMIUM_PATH) return isProgram(env.CHROMIUM_PATH) ? env.CHROMIUM_PATH : null;
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const paths = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const downloaded = chromium.executablePath();
  return [...paths, MAC, downloaded].find((path) => existsSync(path) && isProgram(path)) ?? null;
}

if (import.meta.main && findChromium() === null) {
  console.error(NO_CHROMIUM);
  process.exitCode = 1;
}
