import { describe, expect, it } from "vitest";
import type { SavedFilter } from "../../../contract/endpoints/preferences.ts";
import { limits } from "../../../contract/limits.ts";
import { listColumns } from "../../../contract/values/list-columns.ts";
import { start } from "../../../tests/harness.ts";

const app = await start();
const PATH = "/api/auth/me/preferences";
const ALL = { savedFilters: [], hiddenColumns: [], tourLeft: false };

const filters = (count: number, filter: Partial<SavedFilter> = {}) =>
  Array.from({ length: count }, (_, n) => ({ name: `Filter ${n}`, ...filter }));

describe("preferences", () => {
  it("are those of everybody until they are changed, each by itself, by their user alone", async () => {
    const [user, other] = [await app.signUp(), await app.signUp()];
    const read = async ({ token } = user) => (await app.request("GET", PATH, { token })).data.preferences;
    const change = (body: object) => app.request("PATCH", PATH, { token: user.token, body });
    expect(await read()).toEqual(ALL);
    const savedFilters = [{ name: "Drafts", status: ["draft"], tag: ["web"], owner: other.userId, sort: "createdAt" }];
    expect((await change({ savedFilters })).data.preferences).toEqual({ ...ALL, savedFilters });
    const others = await Promise.all([change({ tourLeft: true }), change({ hiddenColumns: ["owner", "review"] })]);
    expect(others.map(({ status }) => status)).toEqual([200, 200]);
    expect(await read()).toEqual({ savedFilters, hiddenColumns: ["owner", "review"], tourLeft: true });
    await change({ savedFilters: [] });
    expect(await read()).toEqual({ ...ALL, hiddenColumns: ["owner", "review"], tourLeft: true });
    expect(await read(other)).toEqual(ALL);
  });

  it("are limited, and nothing else is stored", async () => {
    const { token } = await app.signUp();
    const change = async (body: object) => (await app.request("PATCH", PATH, { token, body })).status;
    const long = "n".repeat(limits.savedFilterNameLength);
    expect(await change({ savedFilters: filters(limits.savedFilters) })).toBe(200);
    expect(await change({ savedFilters: filters(limits.savedFilters + 1) })).toBe(400);
    expect(await change({ savedFilters: [{ name: long }] })).toBe(200);
    expect(await change({ savedFilters: [{ name: `${long}n` }] })).toBe(400);
    for (const savedFilters of [
      [{ name: " " }],
      [{ q: "a" }],
      [{ name: "a", deleted: true }],
      [{ name: "a", tag: [] }],
      [{ name: "a", hiddenColumns: ["title"] }],
      [{ name: "a", hiddenColumns: ["owner", "owner"] }],
    ])
      expect([savedFilters, await change({ savedFilters })]).toEqual([savedFilters, 400]);
    expect(await change({ hiddenColumns: ["title"] })).toBe(400);
    expect(await change({ hiddenColumns: ["owner", "owner"] })).toBe(400);
    expect(await change({ tourLeft: null })).toBe(400);
    expect(await change({ other: 1 })).toBe(400);
  });

  it("keep the columns of a saved view, also that none is hidden, and a view without any as it is", async () => {
    const { token } = await app.signUp();
    const savedFilters = [
      { name: "Every column", hiddenColumns: [] },
      { name: "Titles", sort: "createdAt", hiddenColumns: [...listColumns] },
      { name: "Older", q: "Shop" },
    ];
    expect((await app.request("PATCH", PATH, { token, body: { savedFilters } })).status).toBe(200);
    expect((await app.request("GET", PATH, { token })).data.preferences).toEqual({ ...ALL, savedFilters });
  });

  it("take a change of as many bytes as are allowed, and refuse one more", async () => {
    const { token } = await app.signUp();
    const json = '{"tourLeft":true}';
    const change = async (bytes: number) => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const response = await fetch(app.url + PATH, { method: "PATCH", headers, body: json.padEnd(bytes) });
      return { status: response.status, body: await response.json() };
    };
    const limitBytes = limits.preferencesBodyBytes;
    expect(await change(limitBytes + 1)).toMatchObject({
      status: 413,
      body: { message: "payload_too_large", details: { limitBytes } },
    });
    expect((await app.request("GET", PATH, { token })).data.preferences).toEqual(ALL);
    expect((await change(limitBytes)).status).toBe(200);
    expect((await app.request("GET", PATH, { token })).data.preferences).toEqual({ ...ALL, tourLeft: true });
  });

  it("takes the longest filter that the list can have, with any characters", async () => {
    const { token } = await app.signUp();
    const tag = Array.from({ length: limits.filterTags }, (_, n) => n + "😀".repeat(limits.tagLength - 1));
    const filter = {
      q: "\u{10ffff}".repeat(limits.searchLength),
      tag,
      status: ["draft", "exported"],
      access: ["owner"],
      hiddenColumns: [...listColumns],
    };
    const savedFilters = filters(limits.savedFilters, filter as Partial<SavedFilter>);
    const { status, data } = await app.request("PATCH", PATH, { token, body: { savedFilters } });
    expect(status).toBe(200);
    expect(data.preferences).toMatchObject({ savedFilters });
  });
});
