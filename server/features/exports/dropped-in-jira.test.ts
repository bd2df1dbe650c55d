import { expect, test } from "vitest";
import { limits } from "../../../contract/limits.ts";
import { droppedAtJira } from "../../../domain/exports/dropped.ts";
import { setJiraStage } from "./testing/stage.ts";

const { app, fake, call, connect, estimate } = await setJiraStage();

/** An exported estimation with a task of each title, and what reading its issues back says about it. */
async function exported(count: number, connectionId: string) {
  const { path, exported: run, finish, tasks } = await estimate([count]);
  const before = fake.site.issues.length;
  const { id } = await run({ connectionId });
  const made = fake.site.issues.slice(before);
  const issue = (at: number) => made.find(({ summary }) => summary.includes(`Part 1.${at}`)) ?? never();
  const close = (at: number, name: string) =>
    Object.assign(issue(at), { doneAt: app.clock.now(), resolution: fake.site.resolution(name) });
  const pull = async () => {
    const { data } = await call("POST", `${path}/exports/${id}/pull`, {});
    expect(await finish(String(data.export?.id))).toMatchObject({ status: "completed" });
    const parts = (await tasks()).filter(({ hours }) => hours !== null);
    return parts.map(({ doneAt, droppedAt }) => (doneAt !== null ? "done" : droppedAt !== null ? "dropped" : "open"));
  };
  return { issue, close, pull };
}

const never = (): never => {
  throw new Error("no issue");
};
const at = (id: string) => `/api/connections/${id}`;

test("a task is dropped by the resolution of its issue, and open again without", async () => {
  const { issue, close, pull } = await exported(6, await connect());
  const names = ["Won't Do", "Duplicate", "Cannot Reproduce", "Declined", "Done", "Sold"];
  for (const [place, name] of names.entries()) close(place + 1, name);
  expect(await pull()).toEqual(["dropped", "dropped", "dropped", "dropped", "done", "done"]);
  issue(1).doneAt = null;
  // Not every workflow sets a resolution.
  issue(2).resolves = false;
  expect((await pull()).slice(0, 3)).toEqual(["open", "done", "dropped"]);
});

test("a resolution that was seen once is known by its id, whatever it is called by then", async () => {
  const connection = await connect();
  const { close, pull } = await exported(2, connection);
  const duplicate = fake.site.resolution("Duplicate");
  close(1, "Duplicate");
  await pull();
  const before = (await call("GET", at(connection))).data.connection;
  duplicate.name = "Duplikat";
  try {
    close(2, "Duplikat");
    expect(await pull()).toEqual(["dropped", "dropped"]);
    // Another connection has not seen it.
    const other = await exported(1, await connect());
    other.close(1, "Duplikat");
    expect(await other.pull()).toEqual(["done"]);
  } finally {
    duplicate.name = "Duplicate";
  }
  expect((await call("GET", at(connection))).data.connection).toEqual(before);
});

test("a connection keeps its own list, and the usual one without", async () => {
  const connection = await connect();
  const usual = droppedAtJira.map(({ name }) => name);
  const listOf = async (droppedResolutions?: readonly string[] | null) => {
    const { data } = await call("PATCH", at(connection), { droppedResolutions });
    return data.connection?.droppedResolutions;
  };
  expect((await call("GET", at(connection))).data.connection?.droppedResolutions).toEqual(usual);
  const { close, pull } = await exported(3, connection);
  for (const [place, name] of ["Sold", "Duplicate", "Done"].entries()) close(place + 1, name);
  expect(await pull()).toEqual(["done", "dropped", "done"]);
  expect(await listOf(["Sold", " duplicate"])).toEqual(["Sold", " duplicate"]);
  expect(await pull()).toEqual(["dropped", "dropped", "done"]);
  expect(await listOf(["Sold"])).toEqual(["Sold"]);
  expect(await pull()).toEqual(["dropped", "done", "done"]);
  expect(await listOf([])).toEqual([]);
  expect(await pull()).toEqual(["done", "done", "done"]);
  expect(await listOf(null)).toEqual(usual);
  expect(await pull()).toEqual(["done", "dropped", "done"]);
});

test("ids of another site are forgotten, and names stay", async () => {
  const connection = await connect();
  const { close, pull } = await exported(1, connection);
  close(1, "Duplicate");
  await pull();
  const ids = async () => {
    const { rows } = await app.pool.query("select dropped_resolutions as list from connections where id = $1", [
      connection,
    ]);
    const list = rows[0]?.list as readonly { id: string | null; name: string }[];
    return list.flatMap(({ id, name }) => (id === null ? [] : name));
  };
  expect(await ids()).toEqual(["Duplicate"]);
  await call("PATCH", at(connection), { name: "Same site" });
  expect(await ids()).toEqual(["Duplicate"]);
  await call("PATCH", at(connection), { baseUrl: "https://other.atlassian.net", token: fake.token });
  expect(await ids()).toEqual([]);
  expect((await call("GET", at(connection))).data.connection?.droppedResolutions).toContain("Duplicate");
});

test("the list is Jira's alone, and is bounded", async () => {
  const connection = await connect();
  const faultOf = async (path: string, droppedResolutions: unknown) => {
    const { status, body } = await call("PATCH", path, { droppedResolutions });
    return [status, body.errors?.[0]?.path];
  };
  const names = (count: number) => Array.from({ length: count }, (_, number) => `Name ${number}`);
  expect(await faultOf(at(connection), names(limits.droppedResolutions))).toEqual([200, undefined]);
  expect(await faultOf(at(connection), names(limits.droppedResolutions + 1))).toEqual([400, "/droppedResolutions"]);
  expect(await faultOf(at(connection), ["x".repeat(limits.resolutionNameLength)])).toEqual([200, undefined]);
  expect(await faultOf(at(connection), ["x".repeat(limits.resolutionNameLength + 1)])).toEqual([
    ...[400, "/droppedResolutions/0"],
  ]);
  expect(await faultOf(at(connection), [" "])).toEqual([400, "/droppedResolutions/0"]);
  const body = { target: "github", name: "Ours", token: "github_pat_11EXAMPLE0exampleexample" };
  const refused = await call("POST", "/api/connections", { ...body, droppedResolutions: ["Duplicate"] });
  expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([400, "/droppedResolutions"]);
  const { data } = await call("POST", "/api/connections", { ...body, droppedResolutions: null });
  expect(data.connection?.droppedResolutions).toBeNull();
  expect(await faultOf(at(String(data.connection?.id)), [])).toEqual([400, "/droppedResolutions"]);
});
