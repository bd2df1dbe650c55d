import { describe, expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { start, type TestUser } from "../../../tests/harness.ts";
import { changesNothing } from "../../../tests/support/dump.ts";
import { plansOf, rowsRead } from "../../../tests/support/plans.ts";
import { setReader } from "../estimations/reader-store.ts";
import { listMessages } from "./message-store.ts";
import { type Lines, setLines } from "./testing/lines.ts";

const app = await start();

const write = ({ send, main, owner }: Lines, body: object, token = owner.token) =>
  send("POST", `/threads/${main}/messages`, { body, token });

async function withReader(lines: Lines): Promise<TestUser> {
  const reviewer = await app.signUp();
  await setReader(app.services.pool, { estimationId: lines.id, userId: reviewer.userId }, { reviews: true });
  return reviewer;
}

describe("messages", () => {
  test("that are open are listed by themselves, of the thread that is current", async () => {
    const lines = await setLines(app);
    const { send, main, base } = lines;
    const open = async (query = "") => (await send("GET", `/messages${query}`)).data;
    expect((await open()).messages).toEqual([]);
    const said = [];
    for (const body of ["a", "b", "c"]) said.push((await write(lines, { body })).data.message);
    const [a, b, c] = said;
    await send("PATCH", `/threads/${main}/messages/${b?.id}`, { body: { resolved: true } });
    expect((await open()).messages).toEqual([c, a]);
    const first = await open("?limit=1");
    expect(first.messages).toEqual([c]);
    expect((await open(`?limit=1&cursor=${first.nextCursor}`)).messages).toEqual([a]);
    const other = (await send("POST", "/threads", { body: { title: "Client B", baseVersionId: base } })).data.thread;
    await send("POST", `/threads/${other?.id}/messages`, { body: { body: "of Client B" } });
    expect((await open()).messages).toEqual([c, a]);
    await send("POST", `/threads/${other?.id}/switch`, {});
    expect((await open()).messages).toMatchObject([{ body: "of Client B", threadId: other?.id }]);
  });

  test("that are open are found without reading settled ones, however many there are", async () => {
    const lines = await setLines(app);
    const said = (await write(lines, { body: "open" })).data.message;
    await app.pool.query(
      `insert into thread_messages (id, estimation_id, thread_id, author_id, body, resolved_at, resolved_by_id, created_at)
       select 'msg_' || lpad(n::text, 26, '0'), estimation_id, thread_id, author_id, 'x', now(), author_id, now()
       from thread_messages, generate_series(1, 20000) n where id = $1`,
      [said?.id],
    );
    await app.pool.query("vacuum analyze thread_messages, users");
    const thread = { estimationId: lines.id, threadId: lines.main };
    const list = (db: Parameters<typeof listMessages>[0]) =>
      listMessages(db, thread, { resolved: false, limit: 101, before: null });
    expect((await list(app.services.pool)).map(({ id }) => id)).toEqual([said?.id]);
    const plans = await plansOf(app.pool, list);
    expect(plans).toHaveLength(1);
    expect(plans[0]).toContain("thread_messages_open");
    expect(await rowsRead(app.pool, list, "thread_messages")).toBe(1);
  });

  test("can be written, listed newest first, resolved and reopened, with who did it", async () => {
    const lines = await setLines(app);
    const { send, main, owner, base } = lines;
    const { id: optionId } = await lines.option("Card");
    const [node] = await lines.nodes();
    const first = await write(lines, { body: "About the node", nodeId: node?.id, versionId: base });
    expect(first.status).toBe(201);
    expect(first.headers.get("location")).toBe(`${lines.path}/threads/${main}/messages/${first.data.message?.id}`);
    const author = { id: owner.userId, name: owner.email.split("@")[0] };
    expect(first.data.message).toMatchObject({
      threadId: main,
      author,
      body: "About the node",
      versionId: base,
      nodeId: node?.id,
      optionId: null,
      resolvedAt: null,
      resolvedBy: null,
    });
    const second = await write(lines, { body: "About the option", optionId });
    const list = async (query = "") => (await send("GET", `/threads/${main}/messages${query}`)).data.messages;
    expect(await list()).toEqual([second.data.message, first.data.message]);
    const path = `/threads/${main}/messages/${first.data.message?.id}`;
    const resolved = await send("PATCH", path, { body: { resolved: true } });
    expect(resolved.data.message).toMatchObject({
      resolvedAt: app.clock.now().toISOString(),
      resolvedBy: { id: owner.userId },
    });
    const again = await changesNothing(app, () => send("PATCH", path, { body: { resolved: true } }));
    expect(again.data).toEqual(resolved.data);
    expect([await list("?resolved=true"), await list("?resolved=false")]).toEqual([
      [resolved.data.message],
      [second.data.message],
    ]);
    expect((await send("PATCH", path, { body: { resolved: false } })).data).toEqual(first.data);
  });

  test("can be resolved and reopened by their author, editors and the owner, and by no other reader", async () => {
    const lines = await setLines(app);
    const { send, main, owner } = lines;
    const withLevel = async (sources: object) => {
      const user = await app.signUp();
      await setReader(app.services.pool, { estimationId: lines.id, userId: user.userId }, sources);
      return user;
    };
    const reviewer = await withLevel({ reviews: true });
    const viewer = await withLevel({ shared: "viewer" });
    const editor = await withLevel({ shared: "editor" });
    const levels = { owner, editor, viewer, reviewer };
    for (const [author, { token }] of Object.entries(levels)) {
      const { status, data } = await write(lines, { body: "Why?" }, token);
      expect(status).toBe(201);
      const path = `/threads/${main}/messages/${data.message?.id}`;
      for (const [name, caller] of Object.entries(levels)) {
        const resolve = (resolved: boolean) => send("PATCH", path, { body: { resolved }, token: caller.token });
        if (name === author || name === "owner" || name === "editor") {
          expect([name, author, (await resolve(true)).data.message?.resolvedBy]).toMatchObject([
            name,
            author,
            { id: caller.userId },
          ]);
          expect((await resolve(false)).data.message?.resolvedAt).toBeNull();
        } else {
          const refused = await resolve(true);
          expect([name, author, refused.status, refused.body.message]).toEqual([name, author, 403, "forbidden"]);
        }
      }
    }
  });

  test("can be about what was removed from the tree, but not about parts of another estimation or unknown ids", async () => {
    const [lines, other] = [await setLines(app), await setLines(app)];
    const { id: optionId } = await lines.option("Invoice");
    await lines.send("DELETE", `/tree/options/${optionId}`);
    expect((await write(lines, { body: "Why?", optionId })).status).toBe(201);
    const strange = (await other.option("Card")).id;
    const [node] = await other.nodes();
    const cases: [object, string, string][] = [
      [{ optionId: strange }, "/optionId", "unknown_reference"],
      [{ optionId: "none" }, "/optionId", "unknown_reference"],
      [{ nodeId: optionId }, "/nodeId", "unknown_reference"],
      [{ nodeId: node?.id }, "/nodeId", "unknown_reference"],
      [{ versionId: other.base }, "/versionId", "unknown_reference"],
      [{ nodeId: (await lines.nodes())[0]?.id, optionId }, "/optionId", "not_allowed"],
    ];
    for (const [anchor, path, code] of cases) {
      const { status, body } = await write(lines, { body: "x", ...anchor });
      expect([status, body.errors?.[0]?.path, body.errors?.[0]?.code]).toEqual([400, path, code]);
    }
    const mine = (await other.send("GET", `/threads/${lines.main}/messages`)).status;
    expect(mine).toBe(404);
  });

  test("can be about an option whose id is older than ids that prove where they belong", async () => {
    const lines = await setLines(app);
    const old = `opt_${"0".repeat(26)}`;
    const { id } = await lines.option("Card");
    await app.pool.query(
      "update decision_trees set tree = replace(tree::text, $2, $3)::json where estimation_id = $1",
      [lines.id, id, old],
    );
    expect((await write(lines, { body: "x", optionId: old })).status).toBe(201);
    await lines.send("DELETE", `/tree/options/${old}`);
    expect((await write(lines, { body: "x", optionId: old })).status).toBe(201);
  });

  test("have a bounded length, and a bounded number in all threads together", async () => {
    const lines = await setLines(app);
    const longest = "𝄞".repeat(limits.messageLength);
    expect((await write(lines, { body: longest })).data.message?.body).toBe(longest);
    for (const body of [`${longest}x`, ""]) expect((await write(lines, { body })).status).toBe(400);
    const reviewer = await withReader(lines);
    const kept = limits.keptPerAuthor;
    await fill(lines, reviewer, kept);
    await fill(lines, await app.signUp(), limits.threadMessages - kept - 2);
    const { token } = reviewer;
    expect((await write(lines, { body: "The last one" }, token)).status).toBe(201);
    const refused = await write(lines, { body: "Beyond" }, token);
    expect([refused.status, refused.body.details]).toEqual([
      409,
      { quota: "threadMessages", limit: limits.threadMessages },
    ]);
  });

  test("can be written by everybody, however many others have written", async () => {
    const lines = await setLines(app);
    await fill(lines, await app.signUp(), 2 * limits.threadMessages);
    const reviewer = await withReader(lines);
    await fill(lines, reviewer, limits.keptPerAuthor - 1);
    expect((await write(lines, { body: "The last one" }, reviewer.token)).status).toBe(201);
    expect((await write(lines, { body: "Beyond" }, reviewer.token)).status).toBe(409);
    await fill(lines, lines.owner, limits.threadMessagesPerAuthor - 1);
    expect((await write(lines, { body: "The owner's last one" })).status).toBe(201);
    expect((await write(lines, { body: "Beyond" })).body.details?.quota).toBe("threadMessagesPerAuthor");
  });

  test("can be written a limited number of times a minute, because each may search the tree", async () => {
    const lines = await setLines(app);
    for (let n = 0; n < limits.commentsPerMinute; n += 1)
      expect((await write(lines, { body: "x", nodeId: `nod_${"0".repeat(26)}` })).status).toBe(400);
    const refused = await write(lines, { body: "x" });
    expect([refused.status, refused.headers.get("ratelimit-policy")]).toEqual([
      429,
      `"endpoint";q=${limits.commentsPerMinute};w=60`,
    ]);
    await app.clock.advance(60_000);
    expect((await write(lines, { body: "x" })).status).toBe(201);
  });

  test("are limited in number per author", async () => {
    const lines = await setLines(app);
    await fill(lines, await app.signUp(), limits.threadMessagesPerAuthor);
    await fill(lines, lines.owner, limits.threadMessagesPerAuthor - 1);
    expect((await write(lines, { body: "The last one" })).status).toBe(201);
    const refused = await write(lines, { body: "Beyond" });
    expect([refused.status, refused.body.details]).toEqual([
      409,
      { quota: "threadMessagesPerAuthor", limit: limits.threadMessagesPerAuthor },
    ]);
  });

  /** Writes many messages of one author into another thread. */
  const fill = ({ id }: Lines, { userId }: { userId: string }, count: number) =>
    app.pool.query(
      `insert into thread_messages (id, estimation_id, thread_id, author_id, body, created_at)
       select 'msg_' || left(md5($1 || $2 || n), 26), $1, 'elsewhere', $2, 'x', now() from generate_series(1, $3::int) n`,
      [id, userId, count],
    );
});
