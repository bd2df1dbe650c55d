import { describe, expect, it } from "vitest";
import { start } from "../../../tests/harness.ts";

const app = await start();
const read = (token: string) => app.request("GET", "/api/auth/me", { token });
const change = (token: string, body: unknown) => app.request("PATCH", "/api/auth/me", { token, body });

describe("reading one's own account", () => {
  it("returns the user of a session, and nothing secret (V8.2.3)", async () => {
    const user = await app.signUp();
    const { status, data } = await read(user.token);
    expect([status, Object.keys(data)]).toEqual([200, ["user"]]);
    expect(Object.keys(data.user ?? {}).sort()).toEqual([
      "avatarUrl",
      "createdAt",
      "defaultPermission",
      "defaultTeamId",
      "email",
      "emailVerifiedAt",
      "id",
      "isAdministrator",
      "name",
      "undeliveredAt",
    ]);
  });

  it("returns the user of a key, its id and its scopes", async () => {
    const user = await app.signUp();
    for (const scopes of [[], ["tasks:read"], ["estimations:read", "admin"]]) {
      const { status, data } = await read(await app.makeKey(user, scopes));
      expect(status).toBe(200);
      expect(data.user?.id).toBe(user.userId);
      expect(data.apiKey).toEqual({ id: expect.stringMatching(/^key_/), scopes });
    }
  });
});

describe("changing one's own account", () => {
  it("changes the given fields and no others", async () => {
    const user = await app.signUp();
    const before = (await read(user.token)).data.user;
    const picture = "https://images.example.com/noor.png?size=64";
    const renamed = await change(user.token, { name: "Noor Haddad" });
    expect([renamed.status, renamed.data.user]).toEqual([200, { ...before, name: "Noor Haddad" }]);
    const pictured = await change(user.token, { avatarUrl: picture });
    expect(pictured.data.user).toEqual({ ...before, name: "Noor Haddad", avatarUrl: picture });
    const bare = await change(user.token, { avatarUrl: null });
    expect(bare.data.user).toEqual({ ...before, name: "Noor Haddad", avatarUrl: null });
    const same = await change(user.token, {});
    expect([same.status, same.data.user]).toEqual([200, bare.data.user]);
    expect((await read(user.token)).data.user).toEqual(bare.data.user);
  });

  it("accepts names and addresses up to their limits", async () => {
    const user = await app.signUp();
    const avatarUrl = `https://example.com/${"a".repeat(2_048 - 20)}`;
    expect((await change(user.token, { name: "🐎".repeat(200), avatarUrl })).data.user?.avatarUrl).toBe(avatarUrl);
  });

  it.each([
    ["a name of 201 characters", { name: "a".repeat(201) }, "/name"],
    ["an empty name", { name: "" }, "/name"],
    ["a name of spaces", { name: " \u00a0" }, "/name"],
    ["no name", { name: null }, "/name"],
    ["a picture over http", { avatarUrl: "http://example.com/a.png" }, "/avatarUrl"],
    ["a script for a picture", { avatarUrl: "javascript:alert(1)" }, "/avatarUrl"],
    ["an invalid address of a picture", { avatarUrl: "https://" }, "/avatarUrl"],
    ["a picture's address with spaces", { avatarUrl: "https://example.com/a b" }, "/avatarUrl"],
    ["a picture's address with a password", { avatarUrl: "https://me:secret@example.com/" }, "/avatarUrl"],
    ["a picture's address of 2049 characters", { avatarUrl: `https://example.com/${"a".repeat(2_029)}` }, "/avatarUrl"],
    ["an e-mail address", { name: "Noor", email: "other@example.com" }, "/email"],
    ["a confirmation", { emailVerifiedAt: "2026-01-01T00:00:00Z" }, "/emailVerifiedAt"],
  ])("refuses %s and changes nothing (V7.5.1, V15.3.3)", async (_, body, path) => {
    const user = await app.signUp();
    const response = await change(user.token, body);
    expect([response.status, response.body.message, response.body.errors?.[0]?.path]).toEqual([
      400,
      "validation_failed",
      path,
    ]);
  });
});
