import { describe, expect, it, vi } from "vitest";
import { splitWords, writeTitle } from "./outline-fields.ts";
import { readText } from "./outline-text.ts";

/** How often text was matched while `work` ran. */
function matches(work: () => void): number {
  const exec = vi.spyOn(RegExp.prototype, "exec");
  try {
    work();
    return exec.mock.calls.length;
  } finally {
    exec.mockRestore();
  }
}

describe("a title in an outline", () => {
  it.each([
    ["hours", "Login: 4", "Login\\: 4"],
    ["what only begins like hours", "Phase: 2 of 3", "Phase\\: 2 of 3"],
    ["hours behind many spaces", "a:    4", "a\\:    4"],
    ["an override", "a: =4", "a\\: =4"],
    ["a quantity", "a: ×2", "a\\: ×2"],
    ["a role", "a: @b", "a\\: @b"],
    ["a unit with a colon", "a: x1(b: 1z)", "a\\: x1(b\\: 1z)"],
    ["a colon in a role", "a: @b: 1", "a\\: @b\\: 1"],
    ["a backslash before the colon", "a\\: 4", "a\\\\\\: 4"],
    ["text after a colon", "Note: later, x times", "Note: later, x times"],
    ["a colon without a space", "a:4", "a:4"],
  ])("with %s is read as it was", (_, title, written) => {
    expect(writeTitle(title)).toBe(written);
    expect(splitWords(written)).toEqual({ title: written, words: null, unread: null });
    expect(readText(written)).toBe(title);
  });

  it.each([
    ["begins like hours", ": 1 z"],
    ["are hours", ": 1"],
    ["is a role", ": @a"],
    ["is anything else", ": z"],
  ])("is written by work that grows with the number of its colons, where what follows %s", (_, part) => {
    const matchesFor = (colons: number) => matches(() => writeTitle(`a${part.repeat(colons)}`));
    expect(matchesFor(400)).toBeLessThan(2.5 * matchesFor(200));
  });
});
