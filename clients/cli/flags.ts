import type { TSchema } from "typebox";
import { UsageError } from "./failure.ts";

/** An option of a command. */
export interface Flag {
  /** As it is written after `--`. */
  readonly name: string;
  /** The field of the query or the body that it sets; the same as `name` for what only this program knows. */
  readonly field: string;
  readonly kind: "text" | "number" | "switch" | "list";
  /** The values that there are, if they are few. */
  readonly values?: readonly string[];
  readonly says: string;
  /** May be given several times. */
  readonly multiple?: true;
}

interface Field {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly items?: Field;
  readonly description?: string;
}

/** How the options of a command differ from the fields of an endpoint. */
export interface Naming {
  /** Options by the fields that they set; null: none sets it. */
  readonly [field: string]: string | null;
}

/** Returns an option for each field of a query or a body, from the contract's schema. */
export function flagsOf(schema: TSchema | undefined, naming: Naming = {}): Flag[] {
  const { properties = {} } = (schema ?? {}) as { readonly properties?: Readonly<Record<string, Field>> };
  return Object.entries(properties).flatMap(([field, declared]) => {
    const name = field in naming ? naming[field] : field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return name === null || name === undefined ? [] : [flagOf(name, field, declared)];
  });
}

function flagOf(name: string, field: string, declared: Field): Flag {
  const type = [declared.type].flat()[0];
  const values = (declared.items?.enum ?? declared.enum)?.filter((value) => typeof value === "string");
  const kind =
    type === "boolean"
      ? "switch"
      : type === "array"
        ? "list"
        : /^(number|integer)$/.test(type ?? "")
          ? "number"
          : "text";
  return { name, field, kind, says: declared.description ?? "", ...(values && values.length > 0 ? { values } : {}) };
}

/** What was given on the command line, by the fields of the flags. */
export type Given = Readonly<Record<string, unknown>>;

/** Returns the options as `parseArgs` takes them. */
export const parseable = (flags: readonly Flag[]) =>
  Object.fromEntries(
    flags.map(({ name, kind, multiple }) => [
      name,
      { type: kind === "switch" ? ("boolean" as const) : ("string" as const), multiple: multiple === true },
    ]),
  );

/** Reads what `parseArgs` returned. Throws `UsageError` for a value that the option does not take. */
export function readFlags(flags: readonly Flag[], parsed: Readonly<Record<string, unknown>>): Given {
  const given: Record<string, unknown> = {};
  for (const flag of flags) {
    const value = parsed[flag.name];
    if (value === undefined) continue;
    given[flag.field] = Array.isArray(value) ? value : readValue(flag, value as string | boolean);
  }
  return given;
}

function readValue({ name, kind, values }: Flag, value: string | boolean): unknown {
  if (typeof value === "boolean") return value;
  const parts = kind === "list" ? value.split(",").map((part) => part.trim()) : [value];
  const wrong = values ? parts.find((part) => !values.includes(part)) : undefined;
  if (wrong !== undefined) throw new UsageError(`--${name} is one of ${values?.join(", ")}, and not ${wrong}`);
  if (kind === "list") return parts;
  if (kind !== "number") return value;
  const number = Number(value);
  if (value.trim() === "" || Number.isNaN(number)) throw new UsageError(`--${name} ${value} is no number`);
  return number;
}

/** Returns the given values of some fields only, to be sent. */
export const only = (given: Given, flags: readonly Flag[]): Record<string, unknown> =>
  Object.fromEntries(flags.flatMap(({ field }) => (given[field] === undefined ? [] : [[field, given[field]]])));
