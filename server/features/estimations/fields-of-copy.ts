import type { EstimationFields } from "../../../contract/estimations.ts";
import { limits } from "../../../contract/limits.ts";

const SUFFIX = " (copy)";

/** Returns the fields of an estimation's copy. The title gets a note that it is a copy, and is cut if it becomes too long. */
export function fieldsOfCopy(fields: EstimationFields): EstimationFields {
  const { title, description, clientName, tags, hourlyRate, currency, correlation, rounding } = fields;
  const cut = Array.from(title)
    .slice(0, limits.titleLength - SUFFIX.length)
    .join("")
    .trimEnd();
  return { title: cut + SUFFIX, description, clientName, tags, hourlyRate, currency, correlation, rounding };
}
