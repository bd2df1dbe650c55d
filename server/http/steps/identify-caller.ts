import type { FastifyReply, FastifyRequest } from "fastify";
import type { Access } from "../../../contract/endpoint.ts";
import { lackingScope, needsSession } from "../../../contract/endpoint.ts";
import { limits } from "../../../contract/limits.ts";
import { addressGroup } from "../callers/client-address.ts";
import { createEndpointLimit } from "../callers/rate-limit.ts";
import { Failure, fail } from "../failure.ts";
import type { Actor } from "../handler.ts";
import type { Check, Mounting, Step } from "./step.ts";

export const API_KEY_PREFIX = "svc_live_";

/** A well-formed credential: what it says about itself, without a query. */
export interface GivenCredential {
  readonly credential: string;
  /** The user it names under the service's own signature; null if only a query can tell. */
  readonly userId: string | null;
  /** Checks whether it is valid now. Throws the `Failure` that says what is wrong with it. */
  prove(): Promise<Actor>;
}

/** Reads credentials of each kind. Refuses (401) anything that cannot be a credential. */
export interface Verifiers {
  readonly session: (token: string) => Promise<GivenCredential>;
  readonly key: (plaintext: string) => GivenCredential;
}

/** Returns the credential from the `Authorization` header, the only source; the token's shape decides its kind. */
export async function credentialOf(header: string | undefined, verifiers: Verifiers): Promise<GivenCredential> {
  const token = /^bearer +(\S+) *$/i.exec(header ?? "")?.[1];
  if (token === undefined) fail("authorization_missing");
  if (/^["'`]/.test(token)) fail("token_invalid", { hint: "Send the key or token without quotes around it." });
  return token.startsWith(API_KEY_PREFIX) ? verifiers.key(token) : verifiers.session(token);
}

/** Checks the actor against an endpoint's scope. A session has every scope; a key may use none of the session-only rows. */
export function authorise(actor: Actor, access: Access): void {
  if (actor.credential === "session") return;
  if (needsSession(access)) fail("session_token_required");
  const requiredScope = lackingScope(access, actor.scopes);
  if (requiredScope !== null) fail("api_key_insufficient_scope", { details: { requiredScope } });
}

/**
 * Refuses (403) a key that lacks the endpoint's scope, or any key if the endpoint requires a session. To users who are no
 * administrators, what is for these does not exist (404); an administrator's sign-in must be recent (403).
 */
export const checkScope: Step<Check> = ({ access }, { services: { clock } }) => {
  if (access === "anyone") return null;
  return (request) => {
    const actor = request.actor ?? fail("authorization_missing");
    authorise(actor, access);
    if (access === "administrator") demandAdministrator(actor, clock.now());
  };
};

function demandAdministrator({ session }: Actor, now: Date): void {
  if (!session?.isAdministrator) fail("not_found");
  const { signedInAt } = session;
  if (now.getTime() - signedInAt.getTime() > limits.recentSignInSeconds * 1_000)
    fail("recent_sign_in_required", { details: { signedInAt: signedInAt.toISOString() } });
}

/**
 * Identifies the caller (401) and counts the request against the caller's limit (429). It is counted before the first
 * query: for the user whom the credential names or had at its last look-up, else for the address. An invalid credential
 * counts for the address. Endpoints with a limit of their own count in the same way, and where anybody may call, for the address and what the
 * path names.
 */
export const identifyCaller: Step<Check> = ({ access, method, path, perMinute }, mounting) => {
  const { rateLimit, knownCredentials, counters } = mounting;
  const countHere =
    perMinute === undefined ? null : createEndpointLimit(counters.of(`${method} ${path}`, perMinute, 60_000));
  if (access === "anyone") {
    return async (request, reply) => {
      await rateLimit.count(request, reply, null);
      const named = Object.values(request.params as Record<string, string>);
      await countHere?.(reply, [addressGroup(request.clientAddress), ...named].join(" "));
    };
  }
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
