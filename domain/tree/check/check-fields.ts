import { limits } from "../../../contract/limits.ts";
import { hasTwoDecimals } from "../hours/round.ts";
import type { NodeFields, OptionFields, ThreePoint } from "../shape.ts";
import { breaches, type Fault, isFull, report } from "./faults.ts";

/**
 * Returns the faults in a node's fields that can be found without its tree; `path` points to the object that holds
 * them.
 */
export function checkNodeFields(fields: Partial<NodeFields>, path = "", faults: Fault[] = []): Fault[] {
  const { min = null, max = null } = fields;
  for (const [name, bound] of [
    ["min", min],
    ["max", max],
  ] as const) {
    const legal = bound === null || (Number.isInteger(bound) && bound >= 0 && bound <= limits.nodeOptions);
    if (!legal) report(faults, `${path}/${name}`, breaches.bound);
  }
  if (min !== null && max !== null && min > max) report(faults, `${path}/max`, breaches.max);
  return faults;
}

/**
 * Returns the faults in an option's fields that can be found without its tree; `path` points to the object that holds
 * them.
 */
export function checkOptionFields(fields: Partial<OptionFields>, path = "", faults: Fault[] = []): Fault[] {
  checkHours(fields.hours, `${path}/hours`, faults);
  checkHours(fields.override, `${path}/override`, faults);
  const { quantity = 1 } = fields;
  if (!isWithin(quantity, limits.quantityMax)) report(faults, `${path}/quantity`, breaches.quantity);
  for (const name of ["requires", "excludes"] as const) {
    const links = fields[name] ?? [];
    if (links.length > limits.optionLinks) report(faults, `${path}/${name}`, breaches.links);
    const seen = new Set<string>();
    for (const [index, link] of links.entries()) {
      if (isFull(faults)) return faults;
      if (seen.has(link)) report(faults, `${path}/${name}/${index}`, breaches.repeatedLink);
      seen.add(link);
    }
  }
  return faults;
}

function checkHours(hours: ThreePoint | number | null | undefined, path: string, faults: Fault[]): void {
  if (hours === null || hours === undefined) return;
  if (typeof hours === "number") {
    if (!isWithin(hours, limits.optionHoursMax)) report(faults, path, breaches.hours);
    return;
  }
  for (const name of ["optimistic", "likely", "pessimistic"] as const) {
    if (!isWithin(hours[name], limits.optionHoursMax)) report(faults, `${path}/${name}`, breaches.hours);
  }
  if (hours.optimistic > hours.likely) report(faults, `${path}/likely`, breaches.likely);
  if (hours.likely > hours.pessimistic) report(faults, `${path}/pessimistic`, breaches.pessimistic);
}

function isWithin(value: number, maximum: number): boolean {
  return value >= 0 && value <= maximum && hasTwoDecimals(value);
}

/** Returns whether `position` is valid for insertion into a list of `length`; its end is valid too. */
export function isPosition(position: number, length: number): boolean {
  return Number.isInteger(position) && position >= 0 && position <= length;
}
