import { isDeepStrictEqual } from "node:util";
import type { IdentityEvent } from "../../../contract/endpoints/audit-log.ts";
import type { Connection, connections } from "../../../contract/endpoints/connections.ts";
import type { TrackerProblem } from "../../../contract/values/tracker-problems.ts";
import { renamed } from "../../../domain/exports/dropped.ts";
import type { Config } from "../../config.ts";
import type { Queryable } from "../../db/database.ts";
import { fail, failWith } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import { byId, listPage } from "../../http/list-page.ts";
import { createAddressCheck } from "../../http/outbound-address.ts";
import { createUserSlots } from "../../http/steps/held-slots.ts";
import type { Services } from "../../services/index.ts";
import { type Origin, recordIdentityEvent } from "../audit-log/index.ts";
import { destinationIn, type NamedDestination } from "./destination.ts";
import {
  type ConnectionRow,
  countConnections,
  deleteConnection,
  droppedOf,
  insertConnection,
  listConnections,
  lockConnection,
  noteTokenRejected,
  ownConnection,
  updateConnection,
} from "./store.ts";

/** Returns a connection as the API shows it: without its token. */
const presentConnection = (row: ConnectionRow): Connection => ({
  id: row.id,
  target: row.target,
  name: row.name,
  baseUrl: row.baseUrl,
  email: row.email,
  droppedResolutions: row.target === "jira" ? droppedOf(row).map(({ name }) => name) : null,
  tokenSetAt: row.tokenSetAt.toISOString(),
  tokenRejectedAt: row.tokenRejectedAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** Requests of one user that wait for a tracker at the same time: each holds memory for as long as the tracker likes. */
export const CHECKS_AT_ONCE = 4;

const newestFirst = byId("connections");

/** A list of a tracker, or why there is none. */
interface Listing<L> {
  readonly listed: readonly L[];
  readonly problems: readonly TrackerProblem[];
}

/** A question to a tracker. */
type Question<L> = (row: ConnectionRow, token: string) => Promise<Listing<L>>;

/** Asks the trackers of connections, with the token in plain text. */
export interface ConnectionTrackers {
  /** Returns what prevents exports (to a destination, if given). */
  check(row: ConnectionRow, token: string, destination: NamedDestination | null): Promise<readonly TrackerProblem[]>;
  /** Lists repositories or projects by words in their names. */
  projects(row: ConnectionRow, token: string, words: string): Promise<Listing<{ key: string; name: string }>>;
  /** Lists the types of issues in a project. */
  issueTypes(
    row: ConnectionRow,
    token: string,
    project: string,
  ): Promise<Listing<{ id: string; name: string; level: number; canBeTop: boolean }>>;
}

const tokenUnreadable: TrackerProblem = {
  code: "connection_missing",
  message: "The token cannot be read any more.",
  remedy: "Give the connection its token again.",
};

interface Asking {
  readonly actor: { readonly userId: string };
  readonly db: Queryable;
  readonly params: { readonly id: string };
}

interface OwnCall extends Origin {
  readonly actor: { readonly userId: string };
  readonly db: Queryable;
  readonly now: Date;
}

/** What trackers need, or do not have. */
type ForTracker = Pick<ConnectionRow, "target" | "baseUrl" | "email" | "droppedResolutions">;

/** Refuses (400) a connection to Jira without the address of the site or the token's user, and one to GitHub with what only Jira has. */
function demandReach({ target, baseUrl, email, droppedResolutions }: ForTracker): void {
  if (target === "github") {
    const others = Object.entries({ email, droppedResolutions }).filter(([, value]) => value !== null);
    const fault = { in: "body", code: "not_allowed", message: "is not for github" } as const;
    if (others.length > 0) failWith(others.map(([name]) => ({ path: `/${name}`, ...fault })));
    return;
  }
  const missing = [...(baseUrl === null ? ["baseUrl"] : []), ...(email === null ? ["email"] : [])];
  if (missing.length === 0) return;
  const fault = { in: "body", code: "required", message: "is required for jira" } as const;
  failWith(missing.map((name) => ({ path: `/${name}`, ...fault })));
}

/**
 * Returns the resolutions of a connection after a change of their names: undefined changes none, null to the usual ones. Another site
 * has other ids.
 */
function droppedIn(
  names: readonly string[] | null | undefined,
  row: ConnectionRow,
  isMoved: boolean,
): ConnectionRow["droppedResolutions"] {
  const before = row.droppedResolutions;
  if (names === null || (names === undefined && before === null)) return null;
  return renamed(names ?? droppedOf(row).map(({ name }) => name), isMoved ? [] : droppedOf(row));
}

/** A user's credentials for trackers. */
export function connectionRoutes(services: Services, trackers: ConnectionTrackers): Handlers<typeof connections> {
  const { config, ids, sealing } = services;
  const readBaseUrl = createBaseUrl(config);
  const baseUrlIn = (baseUrl: string | null | undefined) => (baseUrl ? readBaseUrl(baseUrl) : baseUrl);
  const record = ({ actor: { userId }, db, now, ip, userAgent }: OwnCall, event: IdentityEvent) =>
    recordIdentityEvent(db, services, { userId, event, ip, userAgent, now });
  /** The token of a connection; null: it was stored with another key. */
  const tokenOf = ({ token, id }: ConnectionRow): string | null => {
    try {
      return sealing.open(token, id);
    } catch {
      return null;
    }
  };
  const takeSlot = createUserSlots(() => CHECKS_AT_ONCE);
  /** Asks a tracker in one of the user's slots; refuses (429) when none is left. */
  const inPlace = async <L>(
    userId: string,
    row: ConnectionRow,
    token: string,
    work: Question<L>,
  ): Promise<Listing<L>> => {
    const release = takeSlot(userId) ?? fail("rate_limited", { headers: { "retry-after": "1" } });
    try {
      return await work(row, token);
    } finally {
      release();
    }
  };
  /**
   * Asks the tracker of a connection, and records if it refuses the token. Refuses (429) too many questions at once.
   */
  const ask = async <L>({ actor, db, params }: Asking, work: Question<L>) => {
    const readAt = services.clock.now();
    const row = await ownConnection(db, actor.userId, params.id);
    const token = tokenOf(row);
    const response =
      token === null ? { listed: [], problems: [tokenUnreadable] } : await inPlace(actor.userId, row, token, work);
    const noted = async (now: Date) => {
      if (response.problems.some(({ code }) => code === "token_rejected"))
        await noteTokenRejected(services.pool, row.id, readAt, now);
    };
    return { ...response, noted };
  };
  return {
    async listConnections({ actor, db, query }) {
      const { rows, nextCursor } = await listPage(newestFirst, query, (limit, afterId) =>
        listConnections(db, actor.userId, limit, afterId),
      );
      return { data: { connections: rows.map(presentConnection), nextCursor } };
    },

    async createConnection(call) {
      const { actor, body, db, now } = call;
      const baseUrl = baseUrlIn(body.baseUrl) ?? null;
      const used = async () => 1 + (await countConnections(db, actor.userId));
      await services.quotas.reserve(db, { quota: "connections", used });
      const id = ids.next("connection");
      const { target, name, email = null } = body;
      const droppedResolutions = body.droppedResolutions ? renamed(body.droppedResolutions, []) : null;
      demandReach({ target, baseUrl, email, droppedResolutions });
      const token = await sealing.seal(db, body.token, id);
      const times = { tokenSetAt: now, createdAt: now, updatedAt: now };
      const row = await insertConnection(db, {
        id,
        userId: actor.userId,
        target,
        name,
        baseUrl,
        email,
        droppedResolutions,
        token,
        ...times,
      });
      await record(call, "connection.created");
      return { data: { connection: presentConnection(row) } };
    },

    async getConnection({ actor, db, params }) {
      return { data: { connection: presentConnection(await ownConnection(db, actor.userId, params.id)) } };
    },

    async updateConnection(call) {
      const { actor, body, db, now, params } = call;
      const baseUrl = baseUrlIn(body.baseUrl);
      const row = await lockConnection(db, actor.userId, params.id);
      const { name = row.name, email = row.email, token } = body;
      const isMoved = baseUrl !== undefined && baseUrl !== row.baseUrl;
      if (isMoved && token === undefined) {
        const message = "is required with a new baseUrl: a stored token is never sent to another address";
        failWith([{ path: "/token", in: "body", code: "required", message }]);
      }
      const droppedResolutions = droppedIn(body.droppedResolutions, row, isMoved);
      const { target } = row;
      demandReach({ target, baseUrl: baseUrl === undefined ? row.baseUrl : baseUrl, email, droppedResolutions });
      const isSame =
        isDeepStrictEqual([name, email, droppedResolutions], [row.name, row.email, row.droppedResolutions]) &&
        !isMoved &&
        token === undefined;
      if (isSame) return { data: { connection: presentConnection(row) } };
      const changed = await updateConnection(db, row.id, {
        ...{ name, email, droppedResolutions },
        ...(baseUrl === undefined ? {} : { baseUrl }),
        ...(token === undefined
          ? {}
          : { token: await sealing.seal(db, token, row.id), tokenSetAt: now, tokenRejectedAt: null }),
        updatedAt: now,
      });
      await record(call, token === undefined ? "connection.updated" : "connection.token_replaced");
      return { data: { connection: presentConnection(changed) } };
    },

    async checkConnection(call) {
      const destinationOf = ({ target }: ConnectionRow) => destinationIn(target, call.body);
      const { problems, noted } = await ask(call, async (row, token) => ({
        ...{ listed: [], problems: await trackers.check(row, token, destinationOf(row)) },
      }));
      return async ({ now }) => {
        await noted(now);
        return { data: { ok: problems.length === 0, problems: [...problems] } };
      };
    },

    async listConnectionProjects(call) {
      const words = call.query.q ?? "";
      const { listed, problems, noted } = await ask(call, (row, token) => trackers.projects(row, token, words));
      return async ({ now }) => {
        await noted(now);
        return { data: { projects: [...listed], problems: [...problems] } };
      };
    },

    async listConnectionIssueTypes(call) {
      const { project } = call.query;
      const { listed, problems, noted } = await ask(call, (row, token) => trackers.issueTypes(row, token, project));
      return async ({ now }) => {
        await noted(now);
        return { data: { issueTypes: [...listed], problems: [...problems] } };
      };
    },

    async deleteConnection(call) {
      const row = (await deleteConnection(call.db, call.actor.userId, call.params.id)) ?? fail("not_found");
      await record(call, "connection.removed");
      return { data: { connection: presentConnection(row) } };
    },
  };
}

/**
 * Returns a function that normalizes the address of a tracker's API: host in lower case, no slash at the end. It
 * refuses (400) an address that no request may go to, and one with a query.
 */
function createBaseUrl(
  config: Pick<Config, "webhookAllowedNetworks" | "webhookAllowedPorts">,
): (text: string) => string {
  const check = createAddressCheck(
    { allowedNetworks: config.webhookAllowedNetworks, allowedPorts: config.webhookAllowedPorts },
    { path: "/baseUrl", example: "https://github.example.com/api/v3 or https://acme.atlassian.net" },
  );
  return (text) => {
    check(text);
    if (text.includes("?")) {
      failWith([{ path: "/baseUrl", in: "body", code: "not_allowed", message: "must not have a query" }]);
    }
    return new URL(text).href.replace(/\/+$/, "");
  };
}
