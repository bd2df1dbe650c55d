/** Browsers and their marks; the more special first, because each also names those that it descends from. */
const BROWSERS = [
  ["Edge", /\bEdg(e|A|iOS)?\//],
  ["Opera", /\bOPR\//],
  ["Firefox", /\b(Firefox|FxiOS)\//],
  ["Chrome", /\b(Chrome|CriOS|HeadlessChrome)\//],
  ["Safari", /\bSafari\//],
  ["curl", /^curl\//],
] as const;

const SYSTEMS = [
  ["Android", /\bAndroid\b/],
  ["iOS", /\b(iPhone|iPad|iPod)\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b/],
  ["Linux", /\bLinux\b/],
] as const;

/** Returns a browser and system in words, such as "Firefox on Linux"; null where a user agent says neither. */
export function deviceOf(userAgent: string): string | null {
  const { browser, system } = readUserAgent(userAgent);
  return browser && system ? `${browser} on ${system}` : (browser ?? system);
}

/** Returns which browser a user agent is, and on which system; null where it does not say. */
export function readUserAgent(userAgent: string): { readonly browser: string | null; readonly system: string | null } {
  const find = (rows: readonly (readonly [string, RegExp])[]) =>
    rows.find(([, mark]) => mark.test(userAgent))?.[0] ?? null;
  return { browser: find(BROWSERS), system: find(SYSTEMS) };
}
