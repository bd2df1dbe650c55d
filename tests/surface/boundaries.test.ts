import { expect, test } from "vitest";
import { retention } from "../../scripts/retention.ts";
import { CONTENT_WRITERS, WRITES_ESTIMATIONS } from "./boundaries/content.ts";
import { files, folders, type Import, imports, isTest, textOf } from "./boundaries/files.ts";
import { ARROWS, EXCEPTIONS, MAY, partOf, SHARED, TESTS_MAY } from "./boundaries/parts.ts";
import { BRINGERS, bringsTables, SQL, SQL_FILES, SQL_NAMES } from "./boundaries/sql.ts";

const isFeature = (part: string) => part.startsWith("feature ");
const kindOf = (part: string) => (isFeature(part) ? "feature" : part);
const SERVER = ["server's root", "platform", "db", "jobs", "http", "feature", "pages", "commands"];
const arrowOf = ({ from, to }: Import) => `${partOf(from).slice(8)} → ${partOf(to).slice(8)}`;
const product = imports.filter(({ from }) => !isTest(from));

/** Returns whether `to` is among `allowed`: by its part, as a file of the server, or by its path. */
function isAmong(to: string, allowed: readonly string[]): boolean {
  const kind = kindOf(partOf(to));
  if (allowed.includes(kind) || allowed.includes(to)) return true;
  if (allowed.includes("server") && SERVER.includes(kind)) return true;
  return allowed.some((path) => path.endsWith("/") && to.startsWith(path));
}

function mayImport(edge: Import): boolean {
  const { from, to, typeOnly } = edge;
  const [source, target] = [partOf(from), partOf(to)];
  const kind = kindOf(source);
  if (source === target) return true;
  if (isFeature(source) && isFeature(target)) return to.endsWith("/index.ts") && ARROWS.includes(arrowOf(edge));
  if (SERVER.includes(kind) && SHARED.includes(to)) return true;
  // Imports of a library's types do not exist at run time.
  if (typeOnly && target === "package" && kind !== "contract") return true;
  return isAmong(to, MAY[kind] ?? []);
}

function mayTestImport(edge: Import): boolean {
  const kind = kindOf(partOf(edge.from));
  const more = TESTS_MAY[SERVER.includes(kind) ? "server" : kind] ?? [];
  return mayImport(edge) || isAmong(edge.to, more) || EXCEPTIONS.includes(`${edge.from} → ${edge.to}`);
}

const shown = ({ from, to }: Import) => `${from} imports ${to}`;

test("every folder is a known part, and the examples and findings contain no code of the product", () => {
  const known = [...Object.keys(MAY), "server"];
  expect(folders.filter((folder) => !known.includes(folder))).toEqual(["examples", "findings"]);
  expect(files.filter((file) => /^(?:examples|findings)\//.test(file))).toEqual([]);
  // Also below `server`, where a file that imports nothing would pass unnoticed.
  expect(files.filter((file) => !(kindOf(partOf(file)) in MAY))).toEqual([]);
});

test("imports go one way", () => {
  expect(product.filter((edge) => !mayImport(edge)).map(shown)).toEqual([]);
});

test("tests import only what they test, and what tests share", () => {
  const edges = imports.filter(({ from }) => isTest(from));
  expect(edges.filter((edge) => !mayTestImport(edge)).map(shown)).toEqual([]);
  expect(EXCEPTIONS.filter((line) => !edges.some(({ from, to }) => line === `${from} → ${to}`))).toEqual([]);
});

test("the product imports nothing that exists for tests", () => {
  const breaches = product.filter(
    ({ from, to }) =>
      /^(clients|contract|domain|server|receiver|tour|main)\b/.test(from) && (isTest(to) || /^tests\//.test(to)),
  );
  expect(breaches.map(shown)).toEqual([]);
});

test("every allowed import between features is used", () => {
  const used = product.filter(({ from, to }) => isFeature(partOf(from)) && isFeature(partOf(to))).map(arrowOf);
  expect(ARROWS.filter((arrow) => !used.includes(arrow))).toEqual([]);
});

test("there are no import cycles", () => {
  const edges = new Map<string, string[]>();
  for (const { from, to, typeOnly } of imports)
    if (!typeOnly && to.endsWith(".ts")) edges.set(from, [...(edges.get(from) ?? []), to]);
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(" → "));
    if (path.includes(file) || done.has(file)) return;
    for (const next of edges.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of edges.keys()) visit(file, []);
  expect(circles).toEqual([]);
});

/** Returns the files of the product that contain `pattern`, except those that are `allowed` to. */
const holding = (pattern: RegExp, allowed: RegExp) =>
  files.filter(
    (file) =>
      /^(contract|domain|server|receiver|tour|main)\b/.test(file) &&
      !isTest(file) &&
      !allowed.test(file) &&
      pattern.test(textOf(file)),
  );

test("only config.ts reads the environment, only clock.ts the time", () => {
  expect(holding(/process\.env/, /^server\/config\.ts$/)).toEqual([]);
  // A receiver can pass in another clock.
  const clocks = /^(server\/platform\/clock|receiver\/(sign|verify))\.ts$/;
  expect(holding(/Date\.now\(|new Date\(\)|\bset(Timeout|Interval)\(/, clocks)).toEqual([]);
});

test("only `changeContent` stores the content of an estimation", () => {
  const users = (name: string) => product.filter(({ names }) => names.includes(name)).map(({ from }) => from);
  const found = Object.keys(CONTENT_WRITERS).map((name) => [name, users(name).sort()]);
  expect(Object.fromEntries(found)).toEqual(CONTENT_WRITERS);
  expect(holding(WRITES_ESTIMATIONS, /^server\/features\/estimations\//)).toEqual([]);
});

test("every form of a statement that writes estimations or trees is found, and nothing else", () => {
  const writes = [
    "db.insert(estimations)",
    "tx.update(\n  decisionTrees,",
    "db.delete(reviewedContents)",
    `insert into \${estimations}`,
    `update \${estimationReaders} set`,
    `delete from \${decisionTrees}`,
    "insert into estimations (id)",
    "insert into decision_trees",
    "update estimations set title = $1",
    "update decision_trees as t set",
    "delete from estimations where",
    "delete from decision_trees",
    "INSERT INTO decision_trees",
    "Update Estimations Set",
    "DELETE\n  FROM estimation_readers",
    'update only public."estimations" set',
    "merge into estimations",
    "truncate table decision_trees",
  ];
  expect(writes.filter((text) => !WRITES_ESTIMATIONS.test(text))).toEqual([]);
  const others = [
    "db.select().from(estimations)",
    "select id from estimations for update",
    `select 1 from \${decisionTrees}`,
    "on conflict (id) do update set title = $1",
    "update estimations_seen set",
    "insert into exports select id from estimations",
    "db.update(webhooks)",
  ];
  expect(others.filter((text) => WRITES_ESTIMATIONS.test(text))).toEqual([]);
});

test("rows become records of the API in `present.ts`, or beside the only handlers that use them", () => {
  expect(holding(/\b(function|const) present[A-Z]/, /^domain\/|\/(present(-[a-z]+)?|routes)\.ts$/)).toEqual([]);
});

test("kinds of jobs are listed in files that are named for that", () => {
  const names = /(^|\/)jobs\.ts$|^server\/(worker|jobs\/(job|mail|removals)|features\/exports\/run)\.ts$/;
  expect(holding(/\b(runJob|runPeriodically|removePeriodically)\b[(<]/, names)).toEqual([]);
});

test("every job that removes expired data does it in small batches", () => {
  const jobs = new Set(Object.values(retention).flatMap(({ ends }) => ("job" in ends ? [ends.job] : [])));
  const inBatches = files.flatMap((file) => [...textOf(file).matchAll(/\bremovePeriodically\("([^"]+)"/g)]);
  expect(inBatches.map(([, name]) => name).sort()).toEqual([...jobs].sort());
});

test("one job sends every mail", () => {
  const users = product.filter(({ to }) => to === "server/platform/mailer.ts" || to === "nodemailer");
  const senders = ["server/platform/mail-server.ts", "server/platform/mailer.ts", "server/worker.ts"];
  expect(users.map(({ from }) => from).sort()).toEqual(senders);
});

test("SQL is only in files that are named for it, or listed", () => {
  const found = holding(SQL, SQL_NAMES);
  expect(found.filter((file) => !SQL_FILES.includes(file))).toEqual([]);
  expect(SQL_FILES.filter((file) => !found.includes(file))).toEqual([]);
});

test("no other file imports tables, or Drizzle, with which it could make a statement under another name", () => {
  const others = (file: string) => !SQL_NAMES.test(file) && !SQL_FILES.includes(file) && file.startsWith("server/");
  const found = product.filter((edge) => others(edge.from) && bringsTables(edge));
  // The index of a feature offers its tables to the statements of others.
  const bringers = found.filter(({ from, to }) => !(from.endsWith("/index.ts") && to.endsWith("/tables.ts")));
  expect(bringers.map(({ from }) => from)).toEqual(Object.keys(BRINGERS));
});

test.each([
  ["transaction.update(t).set({})", "../auth/tables.ts", ["t"]],
  ["change.delete(tasksTable)", "../tasks/index.ts", ["tasksTable"]],
  ["db.$count(t)", "", []],
  ["db.query.users.findMany()", "", []],
  ["tx.refreshMaterializedView(t)", "", []],
  ["raw(sql)", "drizzle-orm", ["sql"]],
])("a file with %s breaks one of these two rules", (text, to, names) => {
  const from = "server/features/tasks/sneak.ts";
  const edge = { from, to: to.replace("..", "server/features"), typeOnly: false, names };
  expect(SQL.test(text) || bringsTables(edge)).toBe(true);
  expect(bringsTables({ ...edge, typeOnly: true })).toBe(false);
});
