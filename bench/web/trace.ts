import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";

/** Where traces go, if anywhere: they slow down what they are of. */
const folder = process.env.TRACE ?? null;

/** What the performance panel of Chromium needs: tasks, requests, layouts, paints, and samples of the scripts. */
const CATEGORIES = [
  "devtools.timeline",
  "disabled-by-default-devtools.timeline",
  "loading",
  "v8.execute",
  "disabled-by-default-v8.cpu_profiler",
];

export interface Tracing {
  /** Writes what has happened. */
  end(): Promise<void>;
}

/**
 * Begins a trace of the whole browser, which the performance panel of Chromium opens. Null without a folder, and where a
 * trace of this name was written before: one run shows what all do.
 */
export async function traceInto(browser: Browser, name: string): Promise<Tracing | null> {
  if (folder === null || written.has(name)) return null;
  written.add(name);
  const devtools = await browser.newBrowserCDPSession();
  const traceEvents: object[] = [];
  devtools.on("Tracing.dataCollected", ({ value }) => traceEvents.push(...value));
  await devtools.send("Tracing.start", { traceConfig: { includedCategories: CATEGORIES } });
  return {
    async end() {
      const ended = new Promise((resolve) => devtools.once("Tracing.tracingComplete", resolve));
      await devtools.send("Tracing.end");
      await ended;
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, `${name}.json`), JSON.stringify({ traceEvents }));
      await devtools.detach();
    },
  };
}

const written = new Set<string>();
