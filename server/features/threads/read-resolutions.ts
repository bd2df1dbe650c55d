import type { ValidateFunction } from "ajv";
import type { Fault } from "../../../contract/values/faults.ts";
import type { MergeSide } from "../../../contract/values/merge-conflicts.ts";
import { unitValues } from "../../../contract/values/merge-values.ts";
import type { Resolution } from "../../../domain/merge/shape.ts";
import { failWith } from "../../http/failure.ts";
import { createAjv } from "../../http/validation/schema-checks.ts";

interface Given {
  readonly id: string;
  readonly side?: MergeSide | undefined;
  readonly value?: unknown;
}

let ajv: ReturnType<typeof createAjv> | undefined;
const checks = new Map<string, ValidateFunction>();

/**
 * Reads the resolutions of a request. Refuses (400) one that has both a side and a value, or neither, one of the same
 * conflict as another, and a value that a unit of this name cannot have.
 */
export function readResolutions(given: readonly Given[]): Resolution[] {
  const faults: Fault[] = [];
  const seen = new Set<string>();
  const resolutions = given.map((resolution, index): Resolution => {
    const { id, side, value } = resolution;
    const path = `/resolutions/${index}`;
    const refuse = (below: string, code: Fault["code"], message: string) =>
      faults.push({ path: path + below, in: "body", code, message });
    if (seen.has(id)) refuse("/id", "repeated", "must not be decided twice");
    seen.add(id);
    const hasValue = "value" in resolution;
    if ((side !== undefined) === hasValue) refuse("", "required", "must have either a side or a value");
    if (side !== undefined) return { id, side };
    if (hasValue && !mayBe(id, value)) refuse("/value", "wrong_type", "must be a value of the conflict's unit");
    return { id, value };
  });
  return faults.length > 0 ? failWith(faults) : resolutions;
}

/** Whether the unit that a conflict's id names can have this value. An id of no conflict decides nothing. */
function mayBe(id: string, value: unknown): boolean {
  const [about = "", ...rest] = id.split(".");
  const field = rest.slice(0, -1).join(".");
  const target = about.startsWith("nod_") ? "node" : about.startsWith("opt_") ? "option" : about;
  const units = Object.hasOwn(unitValues, target) ? unitValues[target] : undefined;
  const schema = units && Object.hasOwn(units, field) ? units[field] : undefined;
  if (!schema) return false;
  const key = `${target}.${field}`;
  ajv ??= createAjv();
  const check = checks.get(key) ?? ajv.compile(schema);
  checks.set(key, check);
  return check(value) === true;
}
