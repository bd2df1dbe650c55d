import { expect } from "vitest";
import { type ErrorKey, errorRow } from "../../../contract/errors.ts";
import { endpointEntries } from "../../../contract/index.ts";
import { changesNothing } from "../../support/dump.ts";
import { callSample, sampleOf } from "../call.ts";
import type { Loop } from "./loop.ts";

const gated = endpointEntries.filter(([, { access }]) => access !== "anyone");

export const uselessCredentialsAreRefused: Loop = {
  title:
    "%s refuses another scheme, a key that was never created, an invalid token, and a revoked one (V7.4.1, V8.2.1)",
  endpoints: gated,
  async check({ app, world, revoked }, [id]) {
    const cases: readonly (readonly [string, string, ErrorKey])[] = [
      ["no credential", "", "authorization_missing"],
      ["another scheme", "Basic dXNlcjpwYXNz", "authorization_missing"],
      ["a token without a scheme", world.user.token, "authorization_missing"],
      ["a key that was never made", `Bearer svc_live_${"A".repeat(44)}`, "api_key_invalid"],
      ["a token that is none", "Bearer a.b.c", "token_invalid"],
      ["a revoked token", `Bearer ${revoked}`, "token_revoked"],
    ];
    await changesNothing(app, async () => {
      for (const [name, authorization, refusal] of cases) {
        const headers: Record<string, string> = authorization === "" ? {} : { authorization };
        const response = await callSample(app, id, world, { token: undefined, headers });
        const { status, message, code } = errorRow(refusal);
        expect([response.status, response.body.message, response.body.code], name).toEqual([status, message, code]);
        expect([response.data, response.headers.get("www-authenticate")], name).toEqual([{}, "Bearer"]);
      }
    });
  },
};

/** Addresses are stored in histories, logs and referrers. */
export const keysInAddressesAreRefused: Loop = {
  title: "%s refuses an API key in the address, does not use it as a credential, and does not repeat it (V14.2.1)",
  endpoints: endpointEntries,
  async check({ app, world, people }, [id, { access }]) {
    const key = people.find(({ level }) => level === "owner")?.keyWith(["admin"]) ?? "";
    const { query } = sampleOf(id, world);
    const known = Object.keys(query ?? {})[0];
    const places: Record<string, string>[] = [
      { key },
      { [key]: "1" },
      { surprise: `x${key}` },
      ...(known ? [{ [known]: key }] : []),
    ];
    await changesNothing(app, async () => {
      for (const place of places) {
        const search = new URLSearchParams({ ...query, ...place }).toString();
        const response = await callSample(app, id, world, { query: search });
        expect([response.status, response.body.message]).toEqual([400, "validation_failed"]);
        expect(response.body.errors?.[0]?.message).toContain("holds an API key");
        expect(response.text + JSON.stringify([...response.headers])).not.toContain(key.slice(0, 16));
        if (access === "anyone") continue;
        expect((await callSample(app, id, world, { query: search, token: undefined })).status).toBe(401);
      }
    });
  },
};
