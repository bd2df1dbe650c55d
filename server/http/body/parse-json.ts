import { limits } from "../../../contract/limits.ts";
import type { Fault } from "../../../contract/values/faults.ts";
import { fail } from "../failure.ts";
import { pointer } from "../validation/pointer.ts";
import { isStorable } from "../validation/storable.ts";
import { hintForJson } from "./json-hint.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Parses JSON in UTF-8. Refuses (400 `invalid_json`) anything else. */
export function parseJson(bytes: Uint8Array): unknown {
  let text: string | undefined;
  try {
    text = utf8.decode(bytes);
    return JSON.parse(text);
  } catch (error) {
    const hint = text === undefined ? "Send the body in UTF-8." : hintForJson(text, (error as Error).message);
    return fail("invalid_json", hint ? { hint } : {});
  }
}

/**
 * Returns the texts in `root` that the database cannot store, up to the limit of reported faults. `root` nests no
 * deeper than `limits.bodyDepth`, which was checked on its bytes. Allocates nothing on the way: a body may hold very
 * many values.
 */
export function findUnstorable(root: unknown): Fault[] {
  const faults: Fault[] = [];
  const path: (string | number)[] = [];
  const enter = (name: string | number, value: unknown) => {
    path.push(name);
    look(value);
    path.pop();
  };
  const look = (value: unknown) => {
    if (typeof value === "string") {
      if (isStorable(value)) return;
      faults.push({
        path: pointer(path),
        in: "body",
        code: "unstorable",
        message: "must not hold a NUL character or half a surrogate pair",
      });
    } else if (Array.isArray(value)) {
      for (let at = 0; at < value.length && faults.length < limits.reportedFaults; at += 1) enter(at, value[at]);
    } else if (typeof value === "object" && value !== null) {
      for (const name in value) {
        if (faults.length >= limits.reportedFaults) return;
        enter(name, (value as Record<string, unknown>)[name]);
      }
    }
  };
  look(root);
  return faults;
}
