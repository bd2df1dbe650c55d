import { limits } from "../../../../../contract/limits.ts";
import type { Option } from "../../../../../domain/tree/shape.ts";
import { numberStyle } from "../../../ui/numbers/format.ts";
import { readNumber } from "../../../ui/numbers/read-number.ts";
import { readPoints } from "./read-points.ts";
import type { TypedPoints } from "./typed-points.ts";

/** What was typed for an option in one go. What it does not name is left out. */
export interface TypedLine {
  readonly title: string;
  readonly hours?: TypedPoints;
  readonly fields: Partial<Pick<Option, "quantity" | "role">>;
}

const ROLE = /(?:^|\s)@(?:"([^"]+)"|(\S+))$/;
const QUANTITY = /(?:^|\s)[x×] ?(\d\S*)$/i;

/**
 * Reads a title with what follows it, such as `Card: 4-16-34 x3 @backend`; null if it is only a title. Where the hours can
 * be read in two ways, returns each as a text that has only this one.
 */
export function readLine(text: string): TypedLine | readonly string[] | null {
  const [, title, typed = ""] = /^(.*\S)\s*:\s+(\S.*)$/.exec(text.trim()) ?? [];
  if (title === undefined) return null;
  const fields: { quantity?: number; role?: string } = {};
  let rest = typed;
  for (;;) {
    const [role, quoted, plain] = ROLE.exec(rest) ?? [];
    const [quantity, count = ""] = QUANTITY.exec(rest) ?? [];
    if (role !== undefined && fields.role === undefined) {
      fields.role = quoted ?? plain ?? "";
      rest = rest.slice(0, -role.length).trimEnd();
    } else if (quantity !== undefined && fields.quantity === undefined) {
      const read = readNumber({ text: count }, numberStyle);
      if (!read.ok || read.value === null) return null;
      fields.quantity = read.value;
      rest = rest.slice(0, -quantity.length).trimEnd();
    } else break;
  }
  if ((fields.role?.length ?? 0) > limits.roleLength) return null;
  if (rest === "") return { title, fields };
  const read = readPoints({ text: rest }, "likely", null);
  if (read.ok) return read.value && { title, hours: read.value, fields };
  const ending = typed.slice(rest.length);
  return read.readings.length > 1 ? read.readings.map((reading) => `${title}: ${reading}${ending}`) : null;
}
