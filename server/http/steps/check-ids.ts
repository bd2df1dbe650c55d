import { paramsOf } from "../../../contract/endpoint.ts";
import { isWellFormedId } from "../../platform/ids.ts";
import { fail } from "../failure.ts";
import type { Check, Step } from "./step.ts";

/** Refuses (404) an id in the path that no record can have. */
export const checkIds: Step<Check> = ({ path }) => {
  const names = paramsOf(path);
  if (names.length === 0) return null;
  return ({ params }) => {
    for (const name of names) if (!isWellFormedId((params as Record<string, string>)[name] ?? "")) fail("not_found");
  };
};
