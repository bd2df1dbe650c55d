import { describe, expect, test } from "vitest";
import { type Endpoint, paramsOf, scopesOf } from "../../contract/endpoint.ts";
import { endpointRows } from "../../contract/index.ts";
import { type Scope, satisfies, scopeNames } from "../../contract/scopes.ts";
import { idPrefixes } from "../../contract/shapes.ts";
import { start } from "../harness.ts";

const app = await start();
const user = await app.signUp();

/** The row's path with ids that are well formed and belong to nobody. */
const pathOf = ({ path }: Endpoint) => path.replace(/:[A-Za-z]+/g, `${idPrefixes.estimation}_${"0".repeat(26)}`);

const gated = endpointRows.filter(([, { access }]) => access !== "anyone");
const scoped = endpointRows.filter(([, { access }]) => scopesOf(access).length > 0);

describe("without a credential", () => {
  test.each(gated)(
    "%s takes neither another scheme, nor a key that was never made, nor a token that is none",
    async (_, endpoint) => {
      const basic = await app.request(endpoint.method, pathOf(endpoint), {
        headers: { authorization: "Basic dXNlcjpwYXNz" },
      });
      expect([basic.status, basic.body.message]).toEqual([401, "Missing or invalid authorization header"]);
      const key = await app.request(endpoint.method, pathOf(endpoint), { token: `svc_live_${"A".repeat(44)}` });
      expect([key.status, key.body.message]).toEqual([401, "api_key_invalid"]);
      const token = await app.request(endpoint.method, pathOf(endpoint), { token: "a.b.c" });
      expect([token.status, token.body.message]).toEqual([401, "Invalid or expired token"]);
    },
  );
});

describe("the scope gate", () => {
  test.each(scoped)("%s judges the scope before the body and the record", async (_, endpoint) => {
    const token = await app.makeKey(user, []);
    const body = endpoint.method === "GET" ? undefined : "{ no json";
    expect((await app.request(endpoint.method, pathOf(endpoint), { token, body })).status).toBe(403);
  });

  test("holds for every pair of scopes", () => {
    for (const held of scopeNames) {
      for (const required of scopeNames)
        expect(satisfies([held], required as Scope)).toBe(held === required || held === "admin");
    }
  });
});

describe("an id that belongs to no record", () => {
  const withRecord = endpointRows.filter(([, { path, access }]) => paramsOf(path).length > 0 && access !== "anyone");

  test.each(withRecord)(
    "%s answers for an id that does not exist, or cannot, like for nothing",
    async (_, endpoint) => {
      for (const id of [`est_${"0".repeat(26)}`, "est_short", "%00", "..%2f", "a".repeat(300)]) {
        const path = endpoint.path.replace(/:[A-Za-z]+/g, id);
        const answer = await app.request(endpoint.method, path, { token: user.token });
        // Where a body is needed its absence comes first; then nothing tells one missing record from another.
        expect([400, 404]).toContain(answer.status);
        if (answer.status === 404) expect(answer.body.message).toBe("not_found");
      }
    },
  );
});
