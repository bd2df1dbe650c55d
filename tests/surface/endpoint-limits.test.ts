import { describe, expect, test } from "vitest";
import type { Endpoint } from "../../contract/endpoint.ts";
import { contract, endpointEntries } from "../../contract/index.ts";
import { limits } from "../../contract/limits.ts";
import { start } from "../harness.ts";

const app = await start({ config: { rateLimitPerMinute: 1_000_000 } });

const limited = endpointEntries.flatMap(([id, row]: [string, Endpoint]) =>
  row.perMinute === undefined ? [] : ([[id, row, row.perMinute]] as const),
);

test("these endpoints have a limit per minute of their own", () => {
  // Over all records of a user: the requests below name none.
  expect(Object.fromEntries(limited.map(([id, , perMinute]) => [id, perMinute]))).toEqual({
    searchUsers: 30,
    createThreadMessage: 60,
    generateTasks: 60,
    requestReview: 60,
    approveReview: 30,
    requestChanges: 30,
    createComment: 60,
    openRound: 60,
    repeatRound: 60,
    checkConnection: 30,
    listConnectionProjects: 30,
    listConnectionIssueTypes: 30,
    tryProposal: 60,
    acceptProposal: 60,
    commentOnProposal: 60,
  });
});

/** Throws if a row does not refuse exactly what is beyond `most` requests of a user in a minute. */
async function checkLimit(row: Endpoint, most: number): Promise<void> {
  // Nothing is found or valid: a request counts before that is known. Of anybody, those to one path count together.
  const isOpen = row.access === "anyone";
  const caller = async () => (isOpen ? crypto.randomUUID() : (await app.signUp()).token);
  const token = await caller();
  const send = async (as: string) => {
    const path = row.path.replace(/:\w+/g, isOpen ? as : "none");
    const { status, headers } = await app.request(row.method, path, isOpen ? {} : { token: as });
    return [status === 429, headers.get("ratelimit-policy")];
  };
  const policy = `"endpoint";q=${most};w=60`;
  for (let n = 0; n < most; n += 1) expect((await send(token))[0], `request ${n + 1}`).toBe(false);
  expect(await send(token)).toEqual([true, policy]);
  // Others have their own.
  expect((await send(await caller()))[0]).toBe(false);
  await app.clock.advance(60_000);
  expect((await send(token))[0]).toBe(false);
}

describe("a user's requests to one endpoint", () => {
  test.each(limited)("%s are refused beyond its limit per minute, and accepted again in the next", (_, row, most) =>
    checkLimit(row, most),
  );

  test("with a wrong limit are found, a higher or a lower one", async () => {
    const { searchUsers } = contract;
    await expect(checkLimit(searchUsers, searchUsers.perMinute - 1)).rejects.toThrow(/expected \[ false,/);
    await expect(checkLimit(searchUsers, searchUsers.perMinute + 1)).rejects.toThrow("request 31");
  });

  test("count even with a key that the service has not seen yet", async () => {
    const user = await app.signUp();
    const keys = [await app.makeKey(user, ["admin"]), await app.makeKey(user, ["admin"])];
    const path = "/api/estimations/none/tasks/generate";
    const send = async (token?: string) => (await app.request("POST", path, { token })).status;
    for (let n = 1; n < limits.generationsPerMinute; n += 1) expect(await send(user.token)).toBe(404);
    // Whose key it is, is known only after it was looked up.
    expect([await send(keys[0]), await send(keys[1])]).toEqual([404, 429]);
  });
});
