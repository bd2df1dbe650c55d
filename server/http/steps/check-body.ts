import { inTurn } from "../../platform/compute.ts";
import { failWith } from "../failure.ts";
import { type Check, nothing, type Step } from "./step.ts";

/** Refuses (400) a body that breaks the row's schema, or is missing and not optional; fills in defaults. */
export const checkBody: Step<Check> = ({ body, bodyOptional }, { validation }) => {
  const check = validation.body(body ?? nothing);
  return (request) => {
    if (bodyOptional && request.body === undefined) request.body = {};
    return inTurn(request.bodyBytes, () => {
      if (request.body !== undefined) check(request.body);
      else if (body) failWith([{ path: "", in: "body", code: "required", message: "a JSON body is required" }]);
    });
  };
};
