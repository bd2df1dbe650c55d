import { expect, test } from "vitest";
import { formatAgo, formatDuration, formatHours, shownHours } from "./format.ts";

const NOW = Date.parse("2026-03-01T12:00:00.000Z");
const at = (seconds: number) => new Date(NOW + seconds * 1_000).toISOString();

test("times are said relative to now, before it and after it", () => {
  const said = [-3 * 86_400, -90, -44, 30, 90, 3_700, 6 * 86_400].map((seconds) => formatAgo(at(seconds), NOW));
  expect(said).toEqual(["3 days ago", "2 minutes ago", "now", "now", "in 2 minutes", "in 1 hour", "in 6 days"]);
  expect(formatAgo(at(8 * 86_400), NOW)).toMatch(/2026/);
  expect([formatDuration(16), formatDuration(1_240)]).toEqual(["16 ms", "1.2 s"]);
});

test("hours without the digits that are left out read the same", () => {
  const all = Array.from({ length: 24_001 }, (_, index) => (index - 12_000) / 100);
  const text = (hours: number) => formatHours(Math.abs(hours));
  const different = all.filter((hours) => text(shownHours(hours)) !== text(hours));
  expect(different).toEqual([]);
  expect([1.04, -1.04, 0.04, -0.04, 99.96, 1234.4].map(shownHours)).toEqual([1, -1, 0, 0, 100, 1234]);
});
