import type { FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { Access } from "../../../contract/endpoint.ts";
import { type Clock, every } from "../../platform/clock.ts";
import { Failure } from "../failure.ts";
import type { Actor } from "../handler.ts";
import { authorise, credentialOf, type Verifiers } from "../steps/identify-caller.ts";

/** How often the credentials of open streams are checked, in milliseconds. */
const CHECK_MS = 1_000;

/** What is stored about credentials: the version of the tokens of each session's user, and the scopes of each key that is valid. */
export interface StoredCredentials {
  readonly tokenVersions: ReadonlyMap<string, number>;
  readonly scopesOfKeys: ReadonlyMap<string, readonly string[]>;
}

/** Reads both in one statement; sessions that have ended, and keys that are unknown, revoked or expired, are left out. */
type ReadCredentials = (
  credentials: { readonly sessionIds: readonly string[]; readonly keyIds: readonly string[] },
  now: Date,
) => Promise<StoredCredentials>;

interface Watched {
  readonly actor: Actor;
  readonly access: Access;
  readonly authorization: string | undefined;
  readonly end: () => void;
}

/** Calls `end` when the credential of a request is no longer valid for its endpoint. Returns how to stop watching. */
export type WatchCredential = (request: FastifyRequest, access: Access, end: () => void) => () => void;

/**
 * Watches the credentials of open streams: once a second, with one statement for all of them, and none while no stream is
 * open. While the database cannot be read, streams stay open: reading what they show fails as well.
 */
export function createCredentialWatch(
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
  verifiers: Verifiers,
  read: ReadCredentials,
): WatchCredential {
  const open = new Set<Watched>();
  let stop = () => {};

  async function check(): Promise<void> {
    const watched = [...open];
    const ids = (list: (string | null)[]) => [...new Set(list)].filter((id) => id !== null);
    try {
      const stored = await read(
        {
          sessionIds: ids(watched.map(({ actor }) => actor.session?.id ?? null)),
          keyIds: ids(watched.map(({ actor }) => actor.apiKeyId)),
        },
        clock.now(),
      );
      for (const each of watched) if (!(await isValid(each, stored))) each.end();
    } catch (error) {
      log.warn({ err: error }, "the credentials of open streams could not be checked");
    }
  }

  async function isValid({ actor, access, authorization }: Watched, stored: StoredCredentials): Promise<boolean> {
    try {
      // Refuses a session token that has expired.
      await credentialOf(authorization, verifiers);
      if (actor.session) return stored.tokenVersions.get(actor.session.id) === actor.tokenVersion;
      if (actor.apiKeyId === null) return false;
      const scopes = stored.scopesOfKeys.get(actor.apiKeyId);
      if (scopes === undefined) return false;
      authorise({ ...actor, scopes }, access);
      return true;
    } catch (error) {
      if (error instanceof Failure) return false;
      throw error;
    }
  }

  return ({ actor, headers }, access, end) => {
    if (actor === null) return () => {};
    const watched = { actor, access, authorization: headers.authorization, end };
    if (open.size === 0) stop = every(clock, CHECK_MS, check);
    open.add(watched);
    return () => {
      if (open.delete(watched) && open.size === 0) stop();
    };
  };
}
