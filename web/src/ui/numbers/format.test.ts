import { expect, test } from "vitest";
import { formatAgo, formatDuration } from "./format.ts";

const NOW = Date.parse("2026-03-01T12:00:00.000Z");
const at = (seconds: number) => new Date(NOW + seconds * 1_000).toISOString();

test("times are said relative to now, before it and after it", () => {
  const said = [-3 * 86_400, -90, -44, 30, 90, 3_700, 6 * 86_400].map((seconds) => formatAgo(at(seconds), NOW));
  expect(said).toEqual(["3 days ago", "2 minutes ago", "now", "now", "in 2 minutes", "in 1 hour", "in 6 days"]);
  expect(formatAgo(at(8 * 86_400), NOW)).toMatch(/2026/);
  expect([formatDuration(16), formatDuration(1_240)]).toEqual(["16 ms", "1.2 s"]);
});
