import { expect, test } from "vitest";
import { findPrivate } from "../../scripts/private-interfaces.ts";

test.each([
  ["a private table of graphile-worker", "delete from graphile_worker._private_jobs where id = $1"],
  ["an underscore property", "const { highWaterMark } = request._events;"],
  ["an underscore property", 'if (response["_header"]) return;'],
  ["the inner state of a stream", "const { _readableState: state } = request;"],
  ["a function of Node.js's HTTP parser", 'keyOf(parser, "parserOnHeadersComplete")'],
  ["a symbol that is found by its name", "Object.getOwnPropertySymbols(parser)"],
  ["a symbol that is found by its name", "parser[HTTPParser.kOnBody | 0]"],
  ["the removal of others' listeners", 'server.removeAllListeners("connection");'],
  ["a method that is replaced", "socket.destroySoon = () => {};"],
  ["a method that is replaced", "Object.assign(socket.pause(), { resume: () => socket });"],
  ["a method that is replaced", 'Object.defineProperty(pool, "connect", { value: inTurn });'],
  ["a method that is replaced", "pg.Client.prototype.query = traced;"],
  ["the threads of this process", 'readdirSync("/proc/self/task")'],
])("the check finds %s: %s", (what, planted) => {
  expect(findPrivate(`const before = 1;\n  ${planted}\n`)).toEqual([{ line: 2, what, text: planted }]);
});

test("the check reads statements over several lines", () => {
  const planted = "Object.assign(socket, {\n  destroySoon: () => {},\n});\nsocket\n  .removeAllListeners();\n";
  expect(findPrivate(planted).map(({ line, what }) => ({ line, what }))).toEqual([
    { line: 1, what: "a method that is replaced" },
    { line: 5, what: "the removal of others' listeners" },
  ]);
});

test.each([
  "await pool.connect();",
  "const connect = open;",
  "source.resume();",
  "this._count += 1;",
  "const _unused = 1;",
  'socket.removeListener("close", end);',
  'Object.assign(new Error("x"), { syscall: "connect" });',
  'readdirSync("/proc/1/task")',
])("the check accepts public interfaces: %s", (source) => {
  expect(findPrivate(source)).toEqual([]);
});
