import { expect, it } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { actualHoursOf } from "./actual-hours.ts";

const comment = (body: string, ofMember = true) => ({ body, ofMember });

it("hours come from a label", () => {
  expect(actualHoursOf(["bug", "actual hours: 12.5"], [])).toBe(12.5);
  expect(actualHoursOf(["Actual hours:3 h"], [comment("Actual hours: 9")])).toBe(3);
  expect(actualHoursOf(["actual hours: many", "actual hours"], [])).toBeNull();
});

it("two labels that differ do not count, two equal ones do", () => {
  expect(actualHoursOf(["actual hours: 3", "actual hours: 4"], [comment("Actual hours: 9")])).toBe(9);
  expect(actualHoursOf(["actual hours: 3", "actual hours: 3.0 h"], [])).toBe(3);
});

it("hours come from the last line of its own in a comment of a member", () => {
  const comments = [
    comment("Actual hours: 2"),
    comment("Done.\r\nactual hours: 7,25 hours\r\nThanks!"),
    comment("> Actual hours: 99\nsee Actual hours: 98 above"),
    comment("Actual hours: 97", false),
  ];
  expect(actualHoursOf([], comments)).toBe(7.25);
  expect(actualHoursOf([], comments.slice(2))).toBeNull();
});

it("hours that a task cannot hold do not count", () => {
  expect(actualHoursOf(["actual hours: 0"], [])).toBe(0);
  for (const hours of ["-1", "1.234", "1e3", "1234567890"])
    expect(actualHoursOf([`actual hours: ${hours}`], [])).toBeNull();
  expect(actualHoursOf(["actual hours: 999999999.99"], [])).toBeLessThan(limits.treeHoursMax);
});

it("the time to reject a long line of spaces does not grow faster than the line", () => {
  // With two parts that both take spaces this would take days.
  const line = `Actual hours: 12${" \t".repeat(2_000_000)}`;
  expect(actualHoursOf([`${line}x`], [comment(`${line}x\n${line}h${line}`)])).toBeNull();
  expect(actualHoursOf([], [comment(`${line}h`)])).toBe(12);
});
