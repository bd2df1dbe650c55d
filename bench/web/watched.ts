import type { Browser, Locator, Page } from "playwright-core";

/** What happened on a page until it was closed. */
export interface Seen {
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
  readonly shift: number;
  /** The longest time from an input until the next frame, in milliseconds, as Event Timing counts it (in steps of 8). */
  readonly interactionMs: number;
  readonly breaches: number;
}

interface OpenOptions {
  readonly url: string;
  readonly path: string;
  /** How many times slower the processor is, and whether the network is. */
  readonly slow: { readonly cpu: number; readonly network: boolean };
  /** What the application keeps of somebody who is signed in. */
  readonly session?: object;
}

interface Watched {
  readonly page: Page;
  readonly loaded: Seen["loaded"];
  figures(): Promise<Figures>;
  /** Clicks with the mouse alone: a click of Playwright's looks at the page while it works, which would be counted. */
  press(target: Locator, times?: number): Promise<void>;
  /** Scrolls what scrolls the tree for some seconds and counts frames. */
  framesPerSecond(): Promise<number>;
  close(): Promise<Seen>;
}

/** Runs in the page before its own scripts. */
const WATCH = `
  const figures = window.benchFigures = { paintMs: 0, shift: 0, interactionMs: 0, breaches: 0 };
  const watch = (type, take, more) => new PerformanceObserver((list) => list.getEntries().forEach(take))
    .observe({ type, buffered: true, ...more });
  watch("largest-contentful-paint", (entry) => { figures.paintMs = entry.startTime; });
  watch("layout-shift", (entry) => { if (!entry.hadRecentInput) figures.shift += entry.value; });
  watch("event", (entry) => {
    if (entry.interactionId) figures.interactionMs = Math.max(figures.interactionMs, entry.duration);
  }, { durationThreshold: 16 });
  addEventListener("securitypolicyviolation", () => { figures.breaches += 1; });
`;

const SCROLL = `new Promise((done) => {
  let box = document.querySelector("[role=treegrid]");
  while (box && box.scrollHeight <= box.clientHeight + 1) box = box.parentElement;
  box ??= document.scrollingElement;
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

const BYTES_A_SECOND = 1_600_000 / 8;

/** Opens a page in a browser with nothing stored, and watches it. */
export async function openWatched(browser: Browser, { url, path, slow, session }: OpenOptions): Promise<Watched> {
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
    await devtools.send("Network.enable");
    const speed = { downloadThroughput: BYTES_A_SECOND, uploadThroughput: BYTES_A_SECOND };
    await devtools.send("Network.emulateNetworkConditions", { offline: false, latency: 150, ...speed });
  }
  await page.goto(path);
  const figures = () => page.evaluate<Figures>("benchFigures");
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
    framesPerSecond: () => page.evaluate<number>(SCROLL),
    async close() {
      const { shift, breaches } = await figures();
      await context.close();
      return { loaded, shift, breaches, elsewhere };
    },
  };
}
