import { identify } from "../actor.ts";
import type { Check, Step } from "./step.ts";

/** Finds out who calls (401) and counts the request against their limit (429). */
export const identifyCaller: Step<Check> = ({ access }, { verifiers, countRequest }) => {
  if (access === "anyone") return (request, reply) => countRequest(request, reply, null);
  return async (request, reply) => {
    try {
      request.actor = await identify(request.headers.authorization, verifiers);
    } catch (error) {
      await countRequest(request, reply, null);
      throw error;
    }
    await countRequest(request, reply, request.actor);
  };
};
