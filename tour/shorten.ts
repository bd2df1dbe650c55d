/**
 * Which parts of an answer to show: all of it, some fields of an object, or the first items of a list, each in part.
 * What is left out shows as an ellipsis.
 */
export type Keep<T> =
  | true
  | (T extends readonly (infer Item)[]
      ? readonly [first: number, item: Keep<Item>]
      : T extends object
        ? { readonly [K in keyof T]?: Keep<T[K]> }
        : never);

const WIDTH = 100;
const LONGEST_TEXT = 72;
/** Parts of at most so many columns share lines. */
const SHORT = 30;
const MORE = "…";

/** A value as text, or a list of labelled parts between brackets. */
type Shown = string | { readonly brackets: string; readonly parts: readonly Part[] };
interface Part {
  readonly label: string;
  readonly shown: Shown;
}

/** `value` as JSON in lines of about 100 columns, but for what `keep` leaves out. */
export function shorten<T>(value: T, keep: Keep<T>): string[] {
  return linesOf("", select(value, keep as AnyKeep), "");
}

type AnyKeep = true | readonly [number, AnyKeep] | { readonly [name: string]: AnyKeep | undefined };

function select(value: unknown, keep: AnyKeep): Shown {
  if (Array.isArray(value)) {
    const [first, item] = Array.isArray(keep) ? (keep as [number, AnyKeep]) : [value.length, true as const];
    const parts = value.slice(0, first).map((entry) => ({ label: "", shown: select(entry, item) }));
    const rest = value.length - parts.length;
    return { brackets: "[]", parts: rest > 0 ? [...parts, { label: "", shown: `… ${rest} more` }] : parts };
  }
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value);
    const shown = fields.filter(([name]) => keep === true || (keep as Record<string, AnyKeep>)[name] !== undefined);
    const parts = shown.map(([name, field]) => ({
      label: `${JSON.stringify(name)}: `,
      shown: select(field, keep === true ? true : ((keep as Record<string, AnyKeep>)[name] ?? true)),
    }));
    const rest = fields.length > shown.length ? [{ label: "", shown: MORE }] : [];
    return { brackets: "{}", parts: [...parts, ...rest] };
  }
  return JSON.stringify(typeof value === "string" ? cut(value) : value);
}

const cut = (text: string): string => (text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT).trimEnd()}…` : text);

function linesOf(label: string, shown: Shown, indent: string): string[] {
  const whole = `${indent}${label}${inline(shown)}`;
  if (typeof shown === "string" || whole.length <= WIDTH) return [whole];
  const { brackets, parts } = shown;
  return [`${indent}${label}${brackets[0]}`, ...fill(parts, `${indent}  `), `${indent}${brackets[1]}`];
}

/** What is short shares lines; the rest begins new ones. */
function fill(parts: readonly Part[], indent: string): string[] {
  const lines: string[] = [];
  let open = false;
  for (const [at, { label, shown }] of parts.entries()) {
    const comma = at < parts.length - 1 ? "," : "";
    const text = label + inline(shown);
    const short = typeof shown === "string" || text.length <= SHORT;
    const joined = `${lines.at(-1)} ${text}${comma}`;
    if (((short && open) || (text === MORE && at > 0)) && joined.length <= WIDTH) lines[lines.length - 1] = joined;
    else {
      const added = linesOf(label, shown, indent);
      lines.push(...added.slice(0, -1), `${added.at(-1)}${comma}`);
    }
    open = short;
  }
  return lines;
}

function inline(shown: Shown): string {
  if (typeof shown === "string") return shown;
  const { brackets, parts } = shown;
  const inner = parts.map(({ label, shown: part }) => label + inline(part)).join(", ");
  return parts.length > 0 && brackets === "{}" ? `{ ${inner} }` : `${brackets[0]}${inner}${brackets[1]}`;
}
