import type { Browser, Locator, Page } from "playwright-core";
import { type Tracing, traceInto } from "./trace.ts";

/** What happened on a page until it was closed. */
export interface Seen {
  readonly path: string;
  /** Names of the application's files that were loaded. */
  readonly loaded: ReadonlySet<string>;
  /** The cumulative layout shift. */
  readonly shift: number;
  readonly elsewhere: number;
  readonly breaches: number;
}

interface Figures {
  /** When the largest part was painted, in milliseconds from the start of the navigation. */
  readonly paintMs: number;
  /** The same of the first text. */
  readonly firstPaintMs: number;
  readonly shift: number;
  /** The longest time from an input until the next frame, in milliseconds, as Event Timing counts it (in steps of 8). */
  readonly interactionMs: number;
  readonly breaches: number;
}

/** Bytes a second, and milliseconds before each response begins. */
interface Network {
  readonly speed: number;
  readonly latency: number;
}

export interface Slow {
  /** How many times slower the processor is. */
  readonly cpu: number;
  /** Null for this machine's. */
  readonly network: Network | null;
}

interface OpenOptions {
  readonly url: string;
  readonly path: string;
  readonly slow: Slow;
  /** What a trace of it is called; none is written without a folder for traces. */
  readonly trace?: string;
  /** What the application keeps of somebody who is signed in. */
  readonly session?: object;
}

export interface Watched {
  readonly page: Page;
  readonly loaded: Seen["loaded"];
  figures(): Promise<Figures>;
  /** Clicks with the mouse alone: a click of Playwright's looks at the page while it works, which would be counted. */
  press(target: Locator, times?: number): Promise<void>;
  /** Scrolls what scrolls the tree for some seconds and counts frames. */
  framesPerSecond(): Promise<number>;
  /** Scrolls it as far, in as many frames as that takes at 60 a second. */
  scroll(): Promise<void>;
  /** Processor time of the pages of this browser while something is done, in milliseconds: other programs hardly change it. */
  processorMs(work: () => Promise<void>): Promise<number>;
  /** Waits until everything that the page asked for is there. */
  settled(): Promise<void>;
  close(): Promise<Seen>;
}

/** Runs in the page before its own scripts. */
const WATCH = `
  const figures = window.benchFigures = { paintMs: 0, firstPaintMs: 0, shift: 0, interactionMs: 0, breaches: 0 };
  const watch = (type, take, more) => new PerformanceObserver((list) => list.getEntries().forEach(take))
    .observe({ type, buffered: true, ...more });
  watch("largest-contentful-paint", (entry) => { figures.paintMs = entry.startTime; });
  watch("paint", (entry) => { if (entry.name === "first-contentful-paint") figures.firstPaintMs = entry.startTime; });
  watch("layout-shift", (entry) => { if (!entry.hadRecentInput) figures.shift += entry.value; });
  watch("event", (entry) => {
    if (entry.interactionId) figures.interactionMs = Math.max(figures.interactionMs, entry.duration);
  }, { durationThreshold: 16 });
  addEventListener("securitypolicyviolation", () => { figures.breaches += 1; });
`;

/** The document scrolls, in the application, too. */
const SCROLL_FRAMES = `new Promise((done) => {
  let frames = 0;
  const step = () => {
    frames += 1;
    document.scrollingElement.scrollTop = frames * 50;
    if (frames < 240) requestAnimationFrame(step);
    else done();
  };
  requestAnimationFrame(step);
})`;

/** What is still done after a key, such as saving. */
const AFTERWARDS_MS = 1_000;

const SCROLL = `new Promise((done, fail) => {
  // What is larger than its box does not scroll for that.
  const scrolls = (box) => {
    box.scrollTop = 100;
    return box.scrollTop > 0;
  };
  let box = document.querySelector("[role=treegrid]");
  while (box && !scrolls(box)) box = box.parentElement;
  if (!box) return fail(new Error("nothing scrolls"));
  const begin = performance.now();
  let frames = 0;
  const step = (now) => {
    frames += 1;
    const at = (now - begin) / 1000;
    box.scrollTop = Math.abs(((at * 3000) % 24000) - 12000);
    if (at < 4) requestAnimationFrame(step);
    else done(frames / at);
  };
  requestAnimationFrame(step);
})`;

/** Nothing has arrived for a while; the stream of what others do stays open. */
const SETTLED = `new Promise((settled) => {
  let count = -1;
  const look = () => {
    const now = performance.getEntriesByType("resource").length;
    if (now === count) return settled();
    count = now;
    setTimeout(look, 3000);
  };
  look();
})`;

/** Figures are told with the frame after that which they are about. */
const TOLD = `new Promise((told) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(told, 500))))`;

/** Opens a page in a browser with nothing stored, and watches it. */
export async function openWatched(
  browser: Browser,
  { url, path, slow, session, trace }: OpenOptions,
): Promise<Watched> {
  const context = await browser.newContext({ baseURL: url, locale: "en-GB" });
  await context.addInitScript({ content: WATCH });
  const kept = JSON.stringify(JSON.stringify(session));
  if (session) await context.addInitScript({ content: `localStorage.setItem("estimation-session", ${kept})` });
  const page = await context.newPage();
  const loaded = new Set<string>();
  let elsewhere = 0;
  page.on("request", (request) => {
    const { origin, pathname, protocol } = new URL(request.url());
    if (protocol.startsWith("http") && origin !== url) elsewhere += 1;
    if (pathname.startsWith("/assets/")) loaded.add(pathname.slice("/assets/".length));
  });
  const devtools = await context.newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: slow.cpu });
  if (slow.network) {
    const { speed, latency } = slow.network;
    await devtools.send("Network.enable");
    const throughput = { downloadThroughput: speed, uploadThroughput: speed };
    await devtools.send("Network.emulateNetworkConditions", { offline: false, latency, ...throughput });
  }
  const tracing: Tracing | null = trace === undefined ? null : await traceInto(browser, trace);
  await page.goto(path);
  const figures = async () => {
    await page.evaluate(TOLD);
    return await page.evaluate<Figures>("benchFigures");
  };
  const whole = await browser.newBrowserCDPSession();
  const usedMs = async () => {
    const { processInfo } = await whole.send("SystemInfo.getProcessInfo");
    return 1_000 * processInfo.reduce((sum, { type, cpuTime }) => sum + (type === "renderer" ? cpuTime : 0), 0);
  };
  return {
    page,
    loaded,
    figures,
    async press(target, times = 1) {
      const box = await target.boundingBox();
      if (!box) throw new Error("what is clicked does not show");
      for (let clickCount = 1; clickCount <= times; clickCount += 1)
        await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2, { clickCount });
    },
    settled: () => page.evaluate<void>(SETTLED),
    framesPerSecond: () => page.evaluate<number>(SCROLL),
    scroll: () => page.evaluate<void>(SCROLL_FRAMES),
    async processorMs(work) {
      const before = await usedMs();
      await work();
      await page.waitForTimeout(AFTERWARDS_MS);
      return (await usedMs()) - before;
    },
    async close() {
      const { shift, breaches } = await figures();
      await tracing?.end();
      await whole.detach();
      await context.close();
      return { path, loaded, shift, breaches, elsewhere };
    },
  };
}
