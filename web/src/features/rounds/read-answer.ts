import { limits } from "../../../../contract/limits.ts";
import { pointsFrom } from "../../../../domain/tree/hours/range-points.ts";
import type { ThreePoint } from "../../../../domain/tree/shape.ts";
import { faultText } from "../../api/fault-texts.ts";
import { numberStyle } from "../../ui/numbers/format.ts";
import type { Refused } from "../../ui/numbers/number-fault.tsx";
import { readRange } from "../../ui/numbers/read-hours.ts";
import type { Typed } from "../../ui/numbers/read-number.ts";
import { roundTexts } from "./texts.ts";

const t = roundTexts.answer;

/** Typed instead of hours by who cannot judge it, as on the cards of planning poker. */
export const SKIP = "?";

/** What was typed: a range, that somebody cannot judge it, or why it is neither. */
type Answer =
  | { readonly kind: "range"; readonly points: ThreePoint }
  | { readonly kind: "skip" }
  | { readonly kind: "refused"; readonly why: Refused };

/** Reads an answer as the editor reads hours. One number alone is no range: who means exactly that says so. */
export function readAnswer(typed: Typed): Answer {
  if (typed.text.trim() === SKIP) return { kind: "skip" };
  const read = readRange(typed, numberStyle, limits.optionHoursMax);
  if (!read.ok) return { kind: "refused", why: read.readings.length > 0 ? read.readings : (read.why ?? t.unreadable) };
  if (read.value === null) return { kind: "refused", why: t.unreadable };
  const points = pointsFrom(read.value);
  if (read.value.length === 1) return { kind: "refused", why: t.oneNumber(numberStyle.write(points.likely)) };
  const fault = faultOf(points);
  return fault === null ? { kind: "range", points } : { kind: "refused", why: fault };
}

function faultOf({ optimistic, likely, pessimistic }: ThreePoint): string | null {
  const message = "";
  if (likely < optimistic) return faultText({ path: "/likely", code: "out_of_order", message });
  if (pessimistic < likely) return faultText({ path: "/pessimistic", code: "out_of_order", message });
  return pessimistic > limits.optionHoursMax
    ? faultText({ path: "/pessimistic", code: "out_of_range", message, expected: limits.optionHoursMax })
    : null;
}
