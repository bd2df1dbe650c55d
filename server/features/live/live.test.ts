import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { type Json, start, type TestUser, until } from "../../../tests/harness.ts";
import { atEndOfFile } from "../../../tests/support/end-of-file.ts";
import { startService } from "../../app.ts";

const app = await start();
/** The service once more on the same database, as another process has it. */
const other = await startService({
  config: { ...app.services.config, port: 0 },
  connection: app.connection,
  log: app.services.log,
  only: "api",
  clock: app.clock,
});
atEndOfFile(() => other.stop());

type Event = Json & { readonly type: Json };

/** Opens a stream, and returns the events as they come. */
async function open(token: string, url = app.url) {
  const closing = new AbortController();
  const response = await fetch(`${url}/api/live`, {
    headers: { authorization: `Bearer ${token}` },
    signal: closing.signal,
  });
  const events: Event[] = [];
  const state = { isOver: false };
  void (async () => {
    let text = "";
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = (text + part).split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) if (line.startsWith("data: ")) events.push(JSON.parse(line.slice(6)));
    }
  })()
    .catch(() => {})
    .finally(() => {
      state.isOver = true;
    });
  const opened = await until(() => events[0]);
  const id = String(opened.streamId);
  const of = (type: string) => events.filter((event) => String(event.type) === type);
  /** What the stream follows now. */
  const follow = async (...places: { estimationId: string; lineId?: string | null }[]) => {
    const body = { places: places.map(({ estimationId, lineId = null }) => ({ estimationId, lineId })) };
    const response = await app.request("PUT", `/api/live/${id}`, { token, body });
    expect(response.status).toBe(200);
    return response.data.live?.places;
  };
  /** Follows one estimation, and waits until it does. */
  const begin = async (estimationId: string, lineId: string | null = null) => {
    expect(await follow({ estimationId, lineId })).toEqual([{ estimationId, lineId }]);
    await until(() => of("changed").length > 0);
  };
  return { id, events, of, follow, begin, state, close: () => closing.abort() };
}

/** An estimation with an editor and a viewer. */
async function scene() {
  const owner = await app.signUp();
  const { data } = await app.request("POST", "/api/estimations", { token: owner.token, body: { title: "Shop" } });
  const id = String(data.estimation?.id);
  const share = async (permission: string) => {
    const user = await app.signUp();
    const made = await app.request("POST", `/api/estimations/${id}/shares`, {
      token: owner.token,
      body: { email: user.email, permission },
    });
    const shareId = String(made.data.share?.id);
    await app.request("POST", `/api/shares/${shareId}/accept`, { token: user.token });
    return { ...user, shareId };
  };
  const edit = (by: TestUser, title: string, url = app.url) =>
    fetch(`${url}/api/estimations/${id}`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${by.token}`, "content-type": "application/json" },
      body: JSON.stringify({ title }),
    });
  return { id, owner, editor: await share("edit"), viewer: await share("view"), edit };
}

/** Lets the time pass until streams are renewed, and waits until this one is. */
async function renew({ id }: { readonly id: string }) {
  const last = await app.pool.query("select seen_at::text from live_streams where id = $1", [id]);
  const before = last.rows[0].seen_at;
  await app.clock.advance(15_000);
  // At the time that the renewal was set for, which is within these seconds.
  const seen = "select from live_streams where id = $1 and seen_at > $2::timestamptz";
  await until(async () => (await app.pool.query(seen, [id, before])).rowCount === 1);
  // The service has heard of it too, and has set the time of the next renewal.
  await nextTurn();
  await nextTurn();
}

const nameOf = ({ email }: TestUser) => email.split("@")[0];
const line = `nod_${"0".repeat(26)}`;

test("a change is heard of in every process, with who made it, and what follows it begins with the revision", async () => {
  const { id, owner, editor, edit } = await scene();
  const streams = [await open(owner.token), await open(editor.token, other.url)];
  for (const stream of streams) await stream.begin(id);
  const first = await app.request("GET", `/api/estimations/${id}`, { token: owner.token });
  const revision = Number(first.data.estimation?.revision);
  for (const { of } of streams)
    expect(of("changed")[0]).toEqual({ type: "changed", estimationId: id, revision, changes: [] });
  await edit(editor, "Shop 2", other.url);
  for (const { of } of streams) {
    const changed = await until(() => of("changed").find((event) => Number(event.revision) > revision));
    expect(changed).toEqual({
      ...{ type: "changed", estimationId: id, revision: revision + 1 },
      changes: [{ kind: "content.edited", person: { id: editor.userId, name: nameOf(editor) } }],
    });
  }
});

test("what was not committed is not heard of", async () => {
  const { id, owner, editor, edit } = await scene();
  const stream = await open(owner.token);
  await stream.begin(id);
  const refused = await app.request("PATCH", `/api/estimations/${id}`, {
    token: editor.token,
    body: { title: "Shop" },
    headers: { "if-match": '"99"' },
  });
  expect(refused.status).toBe(412);
  await edit(owner, "Shop 2");
  await until(() => stream.of("changed").length === 2);
  expect(stream.of("changed")[1]?.changes).toMatchObject([{ person: { id: owner.userId } }]);
});

test("who else is there, and where: names to owner and editors, a number to others, and nothing to who is alone", async () => {
  const { id, owner, editor, viewer, edit } = await scene();
  const alone = await open(owner.token);
  await alone.begin(id);
  await edit(owner, "Shop 2");
  await until(() => alone.of("changed").length === 2);
  expect(alone.of("present")).toEqual([]);

  const reader = await open(viewer.token, other.url);
  await reader.begin(id, line);
  expect(await until(() => alone.of("present")[0])).toEqual({
    ...{ type: "present", estimationId: id, others: 1 },
    people: [{ id: viewer.userId, name: nameOf(viewer), lineId: line }],
  });
  expect(await until(() => reader.of("present")[0])).toEqual({
    ...{ type: "present", estimationId: id, others: 1, people: [] },
  });
  const writer = await open(editor.token);
  await writer.begin(id);
  const seen = await until(() => writer.of("present")[0]);
  expect([seen.others, seen.people]).toEqual([
    2,
    [
      { id: owner.userId, name: nameOf(owner), lineId: null },
      { id: viewer.userId, name: nameOf(viewer), lineId: line },
    ].sort((one, next) => (one.id < next.id ? -1 : 1)),
  ]);
  // The same person on another device is nobody else.
  const again = await open(owner.token, other.url);
  await again.begin(id);
  expect(await until(() => again.of("present")[0])).toMatchObject({ others: 2 });
  again.close();

  await reader.follow();
  await until(() =>
    alone.of("present").find(({ others, people }) => Number(others) === 1 && String(people?.[0]?.id) === editor.userId),
  );
  writer.close();
  await until(() => Number(alone.of("present").at(-1)?.others) === 0);
});

test("whoever loses the access hears that once, and then nothing", async () => {
  const { id, owner, editor, viewer, edit } = await scene();
  const [watching, lost] = [await open(owner.token), await open(editor.token, other.url)];
  await watching.begin(id);
  await lost.begin(id, line);
  await until(() => Number(watching.of("present").at(-1)?.others) === 1);
  await app.request("DELETE", `/api/shares/${editor.shareId}`, { token: owner.token });
  await until(() => lost.of("closed").length === 1);
  await until(() => Number(watching.of("present").at(-1)?.others) === 0);
  const before = lost.events.length;
  await edit(owner, "Secret");
  await until(() => watching.of("changed").some(({ changes }) => String(changes?.[0]?.kind) === "content.edited"));
  expect(lost.events.slice(before)).toEqual([]);
  // Nor can it be followed again.
  expect(await lost.follow({ estimationId: id })).toEqual([]);
  expect(viewer.userId).not.toBe(editor.userId);
});

test("an access that ends without any activity is noticed at the next check", async () => {
  const { id, owner } = await scene();
  const member = await app.signUp();
  const team = await app.request("POST", "/api/teams", { token: owner.token, body: { name: "Team" } });
  const teamId = String(team.data.team?.id);
  await app.pool.query(
    "insert into team_members (team_id, user_id, role, joined_at) values ($1, $2, 'member', now())",
    [teamId, member.userId],
  );
  await app.request("POST", `/api/estimations/${id}/shares`, {
    token: owner.token,
    body: { teamId, permission: "view" },
  });
  const stream = await open(member.token);
  await stream.begin(id);
  await app.pool.query("delete from team_members where user_id = $1", [member.userId]);
  await renew(stream);
  await until(() => stream.of("closed").length === 1);
});

test("a stream ends with its session", async () => {
  const { owner } = await scene();
  const stream = await open(owner.token);
  await app.request("POST", "/api/auth/logout", { token: owner.token });
  await until(async () => {
    await app.clock.advance(1_000);
    return stream.state.isOver;
  });
  const left = "select from live_streams where id = $1";
  await until(async () => (await app.pool.query(left, [stream.id])).rowCount === 0);
});

test("a key hears of changes, and is nowhere", async () => {
  const { id, owner, editor, edit } = await scene();
  const program = await open(await app.makeKey(editor, ["estimations:read"]));
  const person = await open(owner.token);
  await person.begin(id);
  await program.begin(id, line);
  await edit(owner, "Shop 2");
  await until(() => program.of("changed").length === 2);
  await until(() => person.of("changed").length === 2);
  expect([program.of("present"), person.of("present")]).toEqual([[], []]);
});

test("a stream follows so many estimations and no more; and only the own stream can be told to", async () => {
  const { id, owner, editor } = await scene();
  const stream = await open(owner.token);
  const ids = [id];
  while (ids.length <= limits.livePlaces) {
    const made = await app.request("POST", "/api/estimations", { token: owner.token, body: { title: "Shop" } });
    ids.push(String(made.data.estimation?.id));
  }
  const put = (token: string, count: number) =>
    app.request("PUT", `/api/live/${stream.id}`, {
      token,
      body: { places: ids.slice(0, count).map((estimationId) => ({ estimationId, lineId: null })) },
    });
  expect((await put(owner.token, limits.livePlaces)).data.live?.places).toHaveLength(limits.livePlaces);
  await until(() => stream.of("changed").length === limits.livePlaces);
  expect((await put(owner.token, limits.livePlaces + 1)).status).toBe(400);
  expect((await put(editor.token, 1)).status).toBe(404);
});

test("a stream that a key moves shows nobody, until its person moves it again", async () => {
  const { id, owner, editor } = await scene();
  const key = await app.makeKey(editor, ["estimations:read"]);
  const [watching, person] = [await open(owner.token), await open(editor.token)];
  await watching.begin(id);
  const put = async (token: string, lineId: string | null) =>
    (await app.request("PUT", `/api/live/${person.id}`, { token, body: { places: [{ estimationId: id, lineId }] } }))
      .status;
  const others = () => Number(watching.of("present").at(-1)?.others);
  expect(await put(editor.token, null)).toBe(200);
  await until(() => others() === 1);
  expect(await put(key, line)).toBe(200);
  await until(() => others() === 0);
  expect(await put(editor.token, null)).toBe(200);
  await until(() => others() === 1);
});

test("as many people as the limit are named, and all are counted", async () => {
  const { id, owner } = await scene();
  const stream = await open(owner.token);
  await stream.begin(id);
  const add = (from: number, to: number) =>
    app.pool.query(
      `with made as (
        insert into users (id, email, name, created_at)
        select 'usr_' || lpad($2::text || n::text, 26, '0'), n || $2 || '@example.com', 'P' || n, now() from generate_series($3::int, $4::int) n
        returning id),
      readers as (insert into estimation_readers (estimation_id, user_id, shared) select $1, id, 'viewer' from made),
      opened as (insert into live_streams (id, user_id, is_person, seen_at) select 'str_' || right(id, 26), id, true, now() from made returning id)
      insert into live_places (stream_id, estimation_id) select id, $1 from opened`,
      [id, String(app.clock.now().getTime()), from, to],
    );
  const look = async (others: number) => {
    await app.pool.query("select pg_notify('live', $1)", [`present ${id}`]);
    return until(() => stream.of("present").find((event) => Number(event.others) === others));
  };
  await add(1, limits.livePeople);
  expect((await look(limits.livePeople)).people).toHaveLength(limits.livePeople);
  await add(limits.livePeople + 1, limits.livePeople + 1);
  expect((await look(limits.livePeople + 1)).people).toHaveLength(limits.livePeople);
});

test("the stream of a process that died is forgotten after a minute", async () => {
  const { id, owner, editor } = await scene();
  const stream = await open(owner.token);
  await stream.begin(id);
  const dead = app.services.ids.next("stream");
  const seen = (secondsAgo: number) =>
    app.pool.query(
      `insert into live_streams (id, user_id, is_person, seen_at) values ($1, $2, true, now() - $3 * interval '1 second')
       on conflict (id) do update set seen_at = excluded.seen_at`,
      [dead, editor.userId, secondsAgo],
    );
  await seen(20);
  await app.pool.query("insert into live_places (stream_id, estimation_id) values ($1, $2)", [dead, id]);
  await app.pool.query("select pg_notify('live', $1)", [`present ${id}`]);
  await until(() => Number(stream.of("present").at(-1)?.others) === 1);
  const isThere = async () => (await app.pool.query("select from live_streams where id = $1", [dead])).rowCount === 1;
  await renew(stream);
  expect([await isThere(), Number(stream.of("present").at(-1)?.others)]).toEqual([true, 1]);
  await seen(61);
  await renew(stream);
  await until(() => Number(stream.of("present").at(-1)?.others) === 0);
  await until(async () => !(await isThere()));
});

/** Ends all connections that hear of news, which last said so or were tried; they are made anew a second later. */
const breakHearing = () =>
  app.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and query like any(array['listen %', 'select 1 as listening'])`,
  );

test("what changes no revision is not lost either: who may have missed something is told to read again", async () => {
  const { id, owner, editor } = await scene();
  await app.pool.query("update users set email_verified_at = now() where id = $1", [editor.userId]);
  const made = await app.request("POST", `/api/estimations/${id}/reviews`, {
    token: owner.token,
    body: { reviewerId: editor.userId },
  });
  expect(made.status).toBe(201);
  const stream = await open(owner.token);
  await stream.begin(id);
  const before = stream.of("changed").length;
  await breakHearing();
  const path = `/api/estimations/${id}/reviews/${made.data.review?.id}/comments`;
  expect((await app.request("POST", path, { token: editor.token, body: { body: "Heard?" } })).status).toBe(201);
  const events = () => stream.of("changed").slice(before);
  await until(() => events().some(({ changes }) => Array.isArray(changes) && changes.length === 0));
  // It hears as before.
  await app.request("POST", path, { token: editor.token, body: { body: "Now?" } });
  await until(() => events().some(({ changes }) => String(changes?.[0]?.kind) === "review.commented"));
});

test("a broken connection to the database costs nothing: what was missed is looked up", async () => {
  const { id, owner, editor, edit } = await scene();
  const stream = await open(owner.token);
  await stream.begin(id);
  await breakHearing();
  await edit(editor, "Shop 2");
  await until(() => stream.of("changed").length === 2);
});

test("a user's streams are counted over all processes", async () => {
  const { token } = await app.signUp();
  const statusAt = async (url: string) => {
    const closing = new AbortController();
    const headers = { authorization: `Bearer ${token}` };
    const { status } = await fetch(`${url}/api/live?seconds=0`, { headers, signal: closing.signal });
    closing.abort();
    return status;
  };
  const streams: Awaited<ReturnType<typeof open>>[] = [];
  for (let count = 0; count < limits.streamsPerUser; count += 1)
    streams.push(await open(token, count % 2 === 0 ? app.url : other.url));
  expect([await statusAt(app.url), await statusAt(other.url)]).toEqual([429, 429]);
  const stored = async () =>
    (await app.pool.query("select from live_streams where id = any($1)", [streams.map(({ id }) => id)])).rowCount;
  streams[0]?.close();
  await until(async () => (await stored()) === limits.streamsPerUser - 1);
  expect(await statusAt(other.url)).toBe(200);
  // Those of a process that died, which nobody renews.
  await app.pool.query("update live_streams set seen_at = now() - interval '31 seconds' where id = any($1)", [
    streams.map(({ id }) => id),
  ]);
  expect(await statusAt(app.url)).toBe(200);
  for (const stream of streams) stream.close();
});
