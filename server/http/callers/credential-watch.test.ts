import type { FastifyRequest } from "fastify";
import { expect, test } from "vitest";
import { start, until } from "../../../tests/harness.ts";
import { createSessionVerifier } from "../../features/auth/index.ts";
import { fail } from "../failure.ts";
import { createCredentialWatch } from "./credential-watch.ts";

const app = await start();

/** A request with a valid session, whose user has the tokens' version 0. */
async function requestOf() {
  const { token } = await app.signUp();
  const actor = await (await createSessionVerifier(app.services)(token)).prove();
  return {
    sessionId: String(actor.session?.id),
    request: { actor, headers: { authorization: `Bearer ${token}` } } as unknown as FastifyRequest,
  };
}

test("the credentials of all open streams are read in one query per second, and not while no stream is open", async () => {
  const reads: (readonly string[])[] = [];
  const ended: string[] = [];
  const revoked = new Set<string>();
  const watch = createCredentialWatch(
    app.services,
    { session: createSessionVerifier(app.services), key: () => fail("api_key_invalid") },
    async ({ sessionIds }) => {
      reads.push(sessionIds);
      const tokenVersions = new Map(sessionIds.map((id) => [id, revoked.has(id) ? 1 : 0]));
      return { tokenVersions, scopesOfKeys: new Map() };
    },
  );
  const second = async (count: number) => {
    await until(async () => {
      if (reads.length < count) await app.clock.advance(1_000);
      return reads.length === count || null;
    });
  };
  await app.clock.advance(5_000);
  expect(reads).toEqual([]);
  const [one, other] = [await requestOf(), await requestOf()];
  const stops = [
    watch(one.request, "tasks:read", () => ended.push("one")),
    watch(one.request, "tasks:read", () => ended.push("one again")),
    watch(other.request, "tasks:read", () => ended.push("other")),
  ];
  await second(1);
  expect(reads).toEqual([[one.sessionId, other.sessionId]]);
  revoked.add(other.sessionId);
  await second(2);
  await until(async () => ended.length > 0 || null);
  expect(ended).toEqual(["other"]);
  for (const stop of stops) stop();
  await app.clock.advance(5_000);
  expect(reads).toHaveLength(2);
});
