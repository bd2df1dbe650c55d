import type { IdentityEvent } from "../../../contract/audit-log.ts";
import type { connections } from "../../../contract/connections.ts";
import type { TrackerProblem } from "../../../contract/tracker-problems.ts";
import type { Queryable } from "../../db/database.ts";
import { fail, failWith } from "../../http/failure.ts";
import type { Handlers } from "../../http/handler.ts";
import { byId, listPage } from "../../http/list-page.ts";
import { refuseBeyond } from "../../http/quota.ts";
import type { Services } from "../../services.ts";
import { type Origin, recordIdentityEvent } from "../audit-log/index.ts";
import { createBaseUrl } from "./base-url.ts";
import { presentConnection } from "./present.ts";
import {
  type ConnectionRow,
  countConnections,
  deleteConnection,
  insertConnection,
  listConnections,
  lockConnection,
  noteTokenRejected,
  ownConnection,
  updateConnection,
} from "./store.ts";

const newestFirst = byId("connections");

/** Asks the tracker of a connection, with its token in plain text, what prevents exports (to a destination, if given). */
export type ConnectionCheck = (
  connection: ConnectionRow,
  token: string,
  destination: { readonly project: string; readonly issueType: string | null } | null,
) => Promise<readonly TrackerProblem[]>;

const tokenUnreadable: TrackerProblem = {
  code: "connection_missing",
  message: "The token cannot be read any more.",
  mend: "Give the connection its token again.",
};

interface OwnCall extends Origin {
  readonly actor: { readonly userId: string };
  readonly db: Queryable;
  readonly now: Date;
}

/** A user's credentials for trackers. */
export function connectionRoutes(services: Services, check: ConnectionCheck): Handlers<typeof connections> {
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
      refuseBeyond("connections", config.quotas.connections, 1 + (await countConnections(db, actor.userId)));
      const id = ids.next("connection");
      const { target, name } = body;
      const token = sealing.seal(body.token, id);
      const times = { tokenSetAt: now, createdAt: now, updatedAt: now };
      const row = await insertConnection(db, { id, userId: actor.userId, target, name, baseUrl, token, ...times });
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
      const { name = row.name, token } = body;
      const isMoved = baseUrl !== undefined && baseUrl !== row.baseUrl;
      if (isMoved && token === undefined) {
        const message = "is required with another baseUrl: a stored token is sent to no other address";
        failWith([{ path: "/token", in: "body", code: "required", message }]);
      }
      if (name === row.name && !isMoved && token === undefined) return { data: { connection: presentConnection(row) } };
      const changed = await updateConnection(db, row.id, {
        name,
        ...(baseUrl === undefined ? {} : { baseUrl }),
        ...(token === undefined ? {} : { token: sealing.seal(token, row.id), tokenSetAt: now, tokenRejectedAt: null }),
        updatedAt: now,
      });
      await record(call, token === undefined ? "connection.updated" : "connection.token_replaced");
      return { data: { connection: presentConnection(changed) } };
    },

    async checkConnection({ actor, body, db, params }) {
      const readAt = services.clock.now();
      const row = await ownConnection(db, actor.userId, params.id);
      const token = tokenOf(row);
      const destination = body.repository === undefined ? null : { project: body.repository, issueType: null };
      const problems = token === null ? [tokenUnreadable] : await check(row, token, destination);
      return async ({ now }) => {
        if (problems.some(({ code }) => code === "token_rejected"))
          await noteTokenRejected(services.pool, row.id, readAt, now);
        return { data: { ok: problems.length === 0, problems: [...problems] } };
      };
    },

    async deleteConnection(call) {
      const row = (await deleteConnection(call.db, call.actor.userId, call.params.id)) ?? fail("not_found");
      await record(call, "connection.removed");
      return { data: { connection: presentConnection(row) } };
    },
  };
}
