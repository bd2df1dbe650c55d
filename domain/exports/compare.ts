import type { Fields } from "./fields.ts";

/** What an export does with the fields of an issue that exists. */
export interface Comparison {
  /** To be sent; empty: nothing. */
  readonly update: Fields;
  /** Fields that people have changed there, and that stay as they are; `changedHere`: our change is not sent. */
  readonly kept: readonly { readonly field: string; readonly changedHere: boolean }[];
  /** What counts as the last push after `update` is sent. */
  readonly pushed: Fields;
}

/**
 * Compares the fields that a task asks for with those of the last push and with the issue as it is. A field is sent if
 * it has changed here but not there since the last push; a field without a last push counts as changed there.
 */
export function compareFields(wanted: Fields, last: Fields, remote: Fields): Comparison {
  const update: Record<string, string | null> = {};
  const kept: { field: string; changedHere: boolean }[] = [];
  const pushed: Record<string, string | null> = { ...last };
  for (const [field, value] of Object.entries(wanted)) {
    const there = remote[field] ?? null;
    const before = last[field];
    if (alike(there, value)) pushed[field] = value;
    else if (before === undefined || !alike(there, before))
      kept.push({ field, changedHere: before === undefined || !alike(before, value) });
    else {
      update[field] = value;
      pushed[field] = value;
    }
  }
  return { update, kept, pushed };
}

/** Returns whether two values differ only in how a tracker writes lines and ends: its editor turns LF into CRLF. */
export const alike = (a: string | null, b: string | null): boolean => settled(a) === settled(b);

const settled = (value: string | null): string => (value ?? "").replace(/\r\n?/g, "\n").trim();
