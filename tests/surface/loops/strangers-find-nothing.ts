import { expect } from "vitest";
import { needsSession, paramsOf } from "../../../contract/endpoint.ts";
import { endpointEntries } from "../../../contract/index.ts";
import { idPrefixes } from "../../../contract/shapes.ts";
import type { Response } from "../../harness.ts";
import { changesNothing } from "../../support/dump.ts";
import { callSample, sampleOf } from "../call.ts";
import type { Loop } from "./loop.ts";

const withRecord = endpointEntries.filter(([, { path, access }]) => paramsOf(path).length > 0 && access !== "anyone");

/** Well-formed ids without a record. */
const NO_ID = `${idPrefixes.estimation}_${"0".repeat(26)}`;

/** What must be equal for another user's record and a missing one. */
const shown = ({ status, headers, body }: Response) => ({
  status,
  headers: Object.fromEntries([...headers].filter(([name]) => !["date", "ratelimit", "x-request-id"].includes(name))),
  body: { ...body, requestId: "" },
});

export const strangersFindNothing: Loop = {
  title:
    "%s has the same response for another user's record as for one that does not exist, and changes nothing (V8.2.2)",
  endpoints: withRecord,
  async check({ app, world, people }, [id, { path, access }]) {
    const stranger = people.find(({ level }) => level === null);
    // Of the same kinds, because an id of another kind gets a hint.
    const none = (of = "") => of.replace(/_.*/, `_${"0".repeat(26)}`);
    const given = sampleOf(id, world).params ?? {};
    const missing = Object.fromEntries(paramsOf(path).map((name) => [name, none(given[name])]));
    await changesNothing(app, async () => {
      for (const token of [stranger?.session, ...(needsSession(access) ? [] : [stranger?.keyWith(["admin"])])]) {
        const refused = await callSample(app, id, world, { token });
        expect([refused.status, refused.body.message, refused.data]).toEqual([404, "not_found", {}]);
        const absent = await callSample(app, id, world, { token, params: missing });
        expect(shown(refused), "the response differs from that for no record").toEqual(shown(absent));
      }
    });
  },
};

/** Texts that cannot be an id. */
const NO_IDS = [NO_ID, "est_short", "%00", "..%2f", "a".repeat(300)];

export const impossibleIdsAreAbsent: Loop = {
  title: "%s responds with 404 for an id that does not exist, and for one that cannot exist",
  endpoints: withRecord,
  async check({ app, world }, [id, { path }]) {
    await changesNothing(app, async () => {
      for (const none of NO_IDS) {
        const params = Object.fromEntries(paramsOf(path).map((name) => [name, none]));
        const { status, body } = await callSample(app, id, world, { params });
        expect([status, body.message], none).toEqual([404, "not_found"]);
      }
    });
  },
};

export const recordsBelongToTheirParent: Loop = {
  title: "%s finds a record only below its own parent, and changes nothing below another (V8.2.2)",
  endpoints: withRecord.filter(([, { path }]) => paramsOf(path).length > 1),
  async check({ app, world, second, stranger }, [id, { path }]) {
    await changesNothing(app, async () => {
      for (const other of [second, stranger]) {
        for (const name of paramsOf(path)) {
          const params = { [name]: paramOf(other, name) };
          expect(params[name], name).not.toBe(paramOf(world, name));
          const { status, body } = await callSample(app, id, world, { params });
          expect([status, body.message], name).toEqual([404, "not_found"]);
        }
      }
    });

    function paramOf(of: typeof world, name: string): string {
      return sampleOf(id, of).params?.[name] ?? "";
    }
  },
};
