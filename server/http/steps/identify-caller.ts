import type { FastifyReply, FastifyRequest } from "fastify";
import { authorise, credentialOf, type GivenCredential } from "../callers/actor.ts";
import { createEndpointLimit } from "../callers/rate-limit.ts";
import { Failure, fail } from "../failure.ts";
import type { Check, Mounting, Step } from "./step.ts";

/** Refuses (403) a key that lacks the endpoint's scope, or any key if the endpoint requires a session. */
export const checkScope: Step<Check> = ({ access }) =>
  access === "anyone" ? null : ({ actor }) => authorise(actor ?? fail("authorization_missing"), access);

/**
 * Identifies the caller (401) and counts the request against the caller's limit (429). It is counted before the first
 * query: for the user whom the credential names or had at its last look-up, else for the address. An invalid credential
 * counts for the address. Endpoints with a limit of their own count in the same way.
 */
export const identifyCaller: Step<Check> = ({ access, perMinute }, mounting) => {
  const { rateLimit, knownCredentials, services } = mounting;
  if (access === "anyone") return (request, reply) => rateLimit.count(request, reply, null);
  const countHere = perMinute === undefined ? null : createEndpointLimit(perMinute, services.clock);
  return async (request, reply) => {
    const given = await read(request, reply, mounting);
    const known = knownCredentials.recall(given.credential);
    const payer = known.userId === null ? null : (given.userId ?? known.userId ?? null);
    await rateLimit.count(request, reply, payer);
    if (payer !== null) await countHere?.(reply, payer);
    try {
      const actor = await given.prove();
      if (given.userId === null) known.note(actor.userId);
      if (payer !== actor.userId) {
        await rateLimit.countInstead(request, reply, actor.userId);
        await countHere?.(reply, actor.userId);
      }
      request.actor = actor;
    } catch (error) {
      if (error instanceof Failure) {
        known.note(null);
        if (payer !== null) await rateLimit.countInstead(request, reply, null);
      }
      throw error;
    }
  };
};

async function read(request: FastifyRequest, reply: FastifyReply, mounting: Mounting): Promise<GivenCredential> {
  try {
    return await credentialOf(request.headers.authorization, mounting.verifiers);
  } catch (error) {
    await mounting.rateLimit.count(request, reply, null);
    throw error;
  }
}
