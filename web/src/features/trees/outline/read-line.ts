import { limits } from "../../../../../contract/limits.ts";
import {
  type Numbers,
  type OptionWords,
  readLine as readWritten,
  unreadText,
} from "../../../../../domain/transfer/read-line.ts";
import { numberStyle } from "../../../ui/numbers/format.ts";
import { readingOf, sentenceOf, whyOf } from "../../../ui/numbers/read-hours.ts";
import { readNumber } from "../../../ui/numbers/read-number.ts";
import { type TypedPoints, typedPoints } from "./typed-points.ts";

/** What was typed for an option in one go. What it does not name is left out. */
export interface TypedLine {
  readonly title: string;
  readonly hours?: TypedPoints;
  readonly fields: Omit<OptionWords, "hours">;
}

/** Numbers as the page writes them. */
const numbers: Numbers = {
  hours: (text) => readingOf({ text }, numberStyle, limits.optionHoursMax),
  number: (text) => {
    const read = readNumber({ text }, numberStyle);
    return read.ok ? read.value : null;
  },
};

/**
 * Reads a title with what follows it, such as `Card: 4-16-34 x3 @backend`; null if it is only a title. Where the hours can
 * be read in two ways, returns each as a text that has only this one; where they are refused, what to write instead.
 */
export function readLine(text: string): TypedLine | readonly string[] | string | null {
  const { title, words, numbers: given, unread } = readWritten(text.trim(), numbers);
  if (unread) {
    const { fault, readings } = unread;
    if (readings.length > 0)
      return readings.map(({ before, hours, behind }) => `${before}${hours.map(numberStyle.write).join("-")}${behind}`);
    if (fault === "role") return sentenceOf(unreadText(unread));
    return fault === "twice" ? null : whyOf(fault);
  }
  if (words === null || (words.role?.length ?? 0) > limits.roleLength) return null;
  const { hours, ...fields } = words;
  return { title: title.replaceAll("\\:", ":"), fields, ...(hours ? { hours: typedPoints(given) } : {}) };
}
