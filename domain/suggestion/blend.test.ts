import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { resultOf } from "../steps.ts";
import { codePoint } from "../tree/testing/code-points.ts";
import { blend } from "./blend.ts";
import { addUp, levelsOf, quantilesAt } from "./levels.ts";
import { askAbout } from "./model-question.ts";
import { createScrubber, scrubbedStart } from "./scrub.ts";
import type { Part, Suggested } from "./suggest.ts";

const CORRELATION = 0.2;

/** Hours from a third of the median to three times as much, equally likely in their logarithm. */
const levels = levelsOf((probability) => 3 ** (2 * probability - 1));

const part = (at: number, median: number): Part => ({
  work: { optionId: `opt_${at}`, title: `Option ${at}`, description: "", role: null, hours: median },
  hours: { levels, times: median },
  least: median / 3,
  most: median * 3,
});

const finished = (at: number, actualHours: number) => ({
  ...{ id: `tsk_${at}`, title: `Task ${at}`, description: "", role: null, estimatedHours: 10, actualHours },
});

function suggested(parts: readonly Part[]): Suggested {
  return {
    ...{ rung: 3, reason: null, analogs: [], warnings: [] },
    hours: quantilesAt(
      resultOf(
        addUp(
          parts.map(({ hours }) => hours),
          CORRELATION,
        ),
      ),
    ),
    perOption: parts.map(({ work, hours }) => ({
      ...{ optionId: work.optionId, rung: 3, hours: quantilesAt(hours), current: work.hours },
    })),
    basis: { parts, others: [], analogs: [] },
  };
}

/** Blends the hours of a model for each option and each compared task into options with these medians. */
function blended(medians: readonly number[], took: readonly number[], sayOption: number, sayTask: number) {
  const parts = medians.map((median, at) => part(at, median));
  const tasks = took.flatMap((hours, at) => [finished(2 * at, hours), finished(2 * at + 1, hours)]);
  const asked = askAbout({ parts, others: [], analogs: [] }, tasks, (text) => text);
  const said = asked.question.items.map((_, at) => (at < asked.options.length ? sayOption : sayTask));
  return blend(suggested(parts), asked, said, CORRELATION);
}

describe("the hours of a language model", () => {
  it("count for at most half, however accurate they were for finished tasks", () => {
    const { hours, rung, perOption } = blended([10], Array(10).fill(20), 20, 20);
    expect([rung, perOption[0]?.rung]).toEqual([4, 4]);
    expect(hours?.p50).toBeGreaterThan(11);
    expect(hours?.p50).toBeLessThan(10 * Math.sqrt(2) + 0.01);
  });

  it("are corrected by their accuracy for them", () => {
    // It says half of what the tasks took, so twice what it says about the option is meant: what the option has anyway.
    expect(blended([10], Array(10).fill(20), 5, 10).hours?.p50).toBeCloseTo(10, -0.5);
    expect(blended([10], [], 5, 10).hours?.p50).toBeLessThan(9);
  });

  it("count for less the further they were off", () => {
    const steady = blended([10], Array(8).fill(20), 30, 20).hours?.p50 ?? 0;
    const wild = blended([10], [1, 400, 1, 400, 1, 400, 1, 400], 30, 20).hours?.p50 ?? 0;
    expect(wild).toBeLessThan(steady);
    expect(wild).toBeGreaterThan(10);
  });

  test("never leaves P1 to P99 of an option, nor the order of the percentiles", () => {
    const hours = fc.double({ min: 1e-9, max: 1e13, noNaN: true });
    fc.assert(
      fc.property(
        hours,
        hours,
        fc.array(fc.double({ min: 0.01, max: 1e4, noNaN: true }), { maxLength: 10 }),
        (a, b, took) => {
          const { perOption, hours: total } = blended([10, 40], took, a, b);
          for (const [at, median] of [10, 40].entries()) {
            const p50 = perOption[at]?.hours?.p50 ?? 0;
            expect(p50).toBeGreaterThanOrEqual(median / 3 - 0.01);
            expect(p50).toBeLessThanOrEqual(median * 3 + 0.01);
          }
          const { p10 = 0, p50 = 0, p80 = 0, p90 = 0 } = total ?? {};
          expect([p10, p50, p80, p90]).toEqual([p10, p50, p80, p90].sort((x, y) => x - y));
        },
      ),
    );
  });

  it("are requested for the 30 largest options, and leave the others as they were", () => {
    const parts = Array.from({ length: 31 }, (_, at) => part(at, 10 + at));
    const asked = askAbout({ parts, others: [], analogs: [] }, [], (text) => text);
    expect(asked.options.map(({ work }) => work.optionId)).not.toContain("opt_0");
    const { perOption } = blend(suggested(parts), asked, Array(30).fill(100), CORRELATION);
    expect(perOption.map(({ rung }) => rung)).toEqual([3, ...Array(30).fill(4)]);
    expect(perOption[0]?.hours?.p50).toBe(10);
  });
});

describe("a text that is sent", () => {
  const scrub = createScrubber(["Ottilie van der Sloot", "Al", "O'Brien", "山田太郎", "user"]);

  it.each([
    ["Call Ottilie Sloot, or OTTILIE", "Call [person], or [person]"],
    ["Al and O'Brien: SLOOTS, slooted", "Al and O'[person]: SLOOTS, slooted"],
    ["山田太郎の画面", "[person]の画面"],
    ["mail a.b+c@mail.example.co.uk, or <x@y>", "mail [address], or <[address]>"],
    ["see http://intranet/x?y=1#z now", "see [link] now"],
    ["cc @jo.doe and team", "cc [person] and team"],
    ["phone +49 (170) 123-45-67 89", "phone [address]"],
    ["version 1.2.3, 120 rows, 2026-01-02", "version 1.2.3, 120 rows, 2026-01-02"],
    ["users of the export", "users of the export"],
  ])("%s", (given, sent) => {
    expect(scrub(given)).toBe(sent);
  });

  it("is cut between words first, so that no half of an address is left", () => {
    const long = `${"x".repeat(15)} jane.doe@example.org`;
    expect(scrubbedStart(long, 10, scrub)).toBe("x".repeat(10));
    expect(scrubbedStart(`${"ab ".repeat(5)}jane.doe@example.org`, 12, scrub)).not.toContain("jane");
    expect(scrubbedStart("😀".repeat(30), 10, scrub)).toBe("");
    expect(scrubbedStart("😀".repeat(5), 10, scrub)).toBe("😀".repeat(5));
  });

  test("of any kind ends, and has no address left", () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint, maxLength: 300 }), fc.emailAddress(), (text, email) => {
        expect(scrub(`${text} ${email} ${text}`)).not.toContain(email);
      }),
    );
  });
});
