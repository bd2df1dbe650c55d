import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pointsFrom } from "../../tree/hours/range-points.ts";
import { numbersOf, readLine } from "../read-line.ts";
import { forms } from "./grammar.ts";
import { readHours } from "./read-hours.ts";
import { units } from "./units.ts";

test.each(forms.map((form) => [form.example, form] as const))(
  "%s is read as the page about hours says",
  (text, form) => {
    const read = readHours(text, ".");
    expect(read.ok ? Object.values(pointsFrom(read.hours)) : null).toEqual(form.hours);
  },
);

const hundredths = fc.integer({ min: 0, max: 1_000_000 }).map((value) => value / 100);
const decimal = fc.constantFrom(".", ",");
const word = fc.constantFrom(...units.flatMap(({ words, hours }) => words.map((each) => ({ word: each, hours }))));
const rounded = (hours: number) => Math.round(hours * 100 * (1 + Number.EPSILON)) / 100;

describe("every form is read back", () => {
  const read = (text: string, sign: "." | ",") => {
    const outcome = readHours(text, sign);
    return outcome.ok ? outcome.hours : outcome.fault;
  };
  const written = (value: number, sign: string) => String(value).replace(".", sign);

  test("one, two and three numbers, with any dash, spaces, and any unit at the end", () => {
    const between = fc.constantFrom("-", "–", "—", " - ", " – ", "..", "…", " to ", " bis ");
    const numbers = fc.array(hundredths, { minLength: 1, maxLength: 3 });
    const inOneUnit = fc.option(fc.tuple(fc.constantFrom("", " "), word));
    fc.assert(
      fc.property(numbers, between, inOneUnit, decimal, (values, dash, unit, sign) => {
        const text = values.map((value) => written(value, sign)).join(dash) + (unit ? unit[0] + unit[1].word : "");
        expect(read(text, sign)).toEqual(values.map((value) => rounded(value * (unit?.[1].hours ?? 1))));
      }),
    );
  });

  test("each number with its own unit", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(hundredths, word), { minLength: 1, maxLength: 3 }), decimal, (parts, sign) => {
        const text = parts.map(([value, unit]) => `${written(value, sign)} ${unit.word}`).join("-");
        expect(read(text, sign)).toEqual(parts.map(([value, unit]) => rounded(value * unit.hours)));
      }),
    );
  });

  test("durations of units that descend, and no others", () => {
    const part = fc.tuple(fc.integer({ min: 1, max: 99 }), word);
    fc.assert(
      fc.property(part, part, fc.constantFrom(" ", ""), ([one, large], [other, small], space) => {
        const outcome = read(`${one}${large.word}${space}${other}${small.word}`, ".");
        if (large.hours > small.hours) expect(outcome).toEqual([rounded(one * large.hours + other * small.hours)]);
        else expect(outcome).toBe(large.hours < small.hours ? "rising" : "two");
      }),
    );
  });

  test("hours and minutes, and durations of ISO 8601", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999 }), fc.integer({ min: 0, max: 59 }), (hours, minutes) => {
        const expected = [rounded(hours + minutes / 60)];
        expect(read(`${hours}:${String(minutes).padStart(2, "0")}`, ".")).toEqual(expected);
        expect(read(`PT${hours}H${minutes}M`, ".")).toEqual(expected);
      }),
    );
  });
});

test("whatever holds a digit behind its title's separator gives hours, is refused or is named", () => {
  const part = fc.constantFrom(
    ...'0123456789 -–/:.,hdwm@x×=()½~"\\',
    "h",
    "min",
    "PT",
    "to",
    "Tage",
    "screens",
    ": ",
    " @ux",
    " x3",
  );
  const separator = fc.constantFrom(": ", ":\t", "：");
  fc.assert(
    fc.property(separator, fc.array(part, { minLength: 1, maxLength: 10 }), decimal, (colon, parts, sign) => {
      const rest = parts.join("");
      fc.pre(/\d/.test(rest));
      const { title, words, unread, note } = readLine(`Card${colon}${rest}`, numbersOf(sign));
      const isRead = words?.hours !== undefined || words?.override !== undefined;
      const lost = words === null ? rest : title.slice("Card".length);
      expect(isRead || unread !== null || note !== null || !/\d/.test(lost)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
