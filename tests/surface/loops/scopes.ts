import { expect } from "vitest";
import { needsSession, scopesOf } from "../../../contract/endpoint.ts";
import { endpointEntries } from "../../../contract/index.ts";
import { changesNothing } from "../../support/dump.ts";
import { callSample } from "../call.ts";
import type { Loop } from "./loop.ts";
import { allBut } from "./people.ts";

const bound = endpointEntries.filter(([, { access }]) => scopesOf(access).length > 0 || needsSession(access));

/** Uses the sample, which would otherwise succeed. */
export const otherScopesAreRefused: Loop = {
  title: "%s refuses a key with every scope but its own, or any key if it requires a session (V7.2.2, V8.2.1)",
  endpoints: bound,
  async check({ app, world, people }, [id, { access }]) {
    const owner = people.find(({ level }) => level === "owner");
    const isSession = needsSession(access);
    const message = isSession ? "session_token_required" : "api_key_insufficient_scope";
    await changesNothing(app, async () => {
      for (const scopes of [allBut(scopesOf(access)), ...(isSession ? [["admin"] as const] : [])]) {
        const { status, body, data } = await callSample(app, id, world, { token: owner?.keyWith(scopes) });
        expect([status, body.message, data], scopes.join()).toEqual([403, message, {}]);
      }
    });
  },
};

/** So that a refusal reveals neither whether the body is valid nor whether the record exists. */
export const scopesAreJudgedFirst: Loop = {
  title: "%s checks the scope of a key before the body and the record (V8.2.1)",
  endpoints: bound,
  async check({ app, world, people }, [id, { access, method }]) {
    const token = people.find(({ level }) => level === "owner")?.keyWith([]) ?? "";
    const message = needsSession(access) ? "session_token_required" : "api_key_insufficient_scope";
    const body = method === "GET" ? {} : { body: "{ no json" };
    await changesNothing(app, async () => {
      for (const params of [undefined, { id: "est_missing" }]) {
        const response = await callSample(app, id, world, { token, ...(params ? { params } : {}), ...body });
        expect([response.status, response.body.message, response.data]).toEqual([403, message, {}]);
      }
    });
  },
};
