import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { describe, expect, test } from "vitest";
import { scopesOf } from "../../contract/endpoint.ts";
import { contract } from "../../contract/index.ts";
import { commands } from "./commands.ts";
import { exitCodeOf, exitCodes } from "./exit-codes.ts";
import { flagsOf, only, parseable, readFlags } from "./flags.ts";
import { generalHelp, helpOf } from "./help.ts";
import { widthOf } from "./screen/text.ts";

const filters = flagsOf(contract.listEstimations.query, { cursor: null });

describe("options that are made from a row of the contract", () => {
  test("are its parameters, but for those that are left out", () => {
    const { properties } = contract.listEstimations.query;
    const names = Object.keys(properties).filter((name) => name !== "cursor");
    expect(filters.map(({ field }) => field)).toEqual(names);
    expect(filters.find(({ name }) => name === "status")).toMatchObject({
      kind: "list",
      values: ["draft", "submitted", "tasks_generated", "exported"],
    });
    expect(filters.find(({ name }) => name === "deleted")).toMatchObject({ kind: "switch" });
    const { name } = flagsOf(contract.exportTasks.body, { connectionId: "connection" })[1] ?? {};
    expect(name).toBe("connection");
  });

  const read = (...args: string[]) => readFlags(filters, parseArgs({ args, options: parseable(filters) }).values);

  test("become values of the kind that the contract says", () => {
    const given = read("--status", "draft,exported", "--q", "a,b", "--limit", "7", "--deleted");
    expect(given).toEqual({ status: ["draft", "exported"], q: "a,b", limit: 7, deleted: true });
    expect(
      only(
        given,
        filters.filter(({ field }) => field === "q"),
      ),
    ).toEqual({ q: "a,b" });
  });

  test.each([
    [["--status", "draft,new"], /--status is one of draft, .* and not new/],
    [["--limit", "many"], /--limit many is no number/],
    [["--limit", ""], /is no number/],
  ])("refuse %j before anything is sent", (args, message) => {
    expect(() => read(...args)).toThrow(message);
  });
});

describe.each(Object.entries(commands))("estimate %s", (name, command) => {
  test("has help that fits into 80 columns, with examples and the scopes that a key needs", () => {
    const help = helpOf(name, command);
    for (const line of help.split("\n")) expect(widthOf(line), line).toBeLessThanOrEqual(80);
    expect(command.examples.length).toBeGreaterThan(0);
    for (const scope of command.calls.flatMap((id) => scopesOf(contract[id].access))) expect(help).toContain(scope);
  });

  test("has examples with options that it takes", () => {
    for (const [example] of command.examples) {
      const [, words = ""] = new RegExp(`estimate ${name}\\b([^|<]*)`).exec(example) ?? [];
      for (const [, option = ""] of words.matchAll(/ --([a-z-]+)/g))
        expect([...command.flags.map(({ name }) => name), "json", "help"]).toContain(option);
    }
  });
});

test("the general help lists every command, fits into 80 columns, and says what exit codes mean, as the page does", () => {
  const help = generalHelp(commands);
  for (const line of help.split("\n")) expect(widthOf(line), line).toBeLessThanOrEqual(80);
  for (const name of Object.keys(commands)) expect(help).toMatch(new RegExp(`^  ${name}\\b`, "m"));
  const page = readFileSync(new URL("../../docs/command-line.md", import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| (\d+) \| (.+) \|$/gm)].map(([, code, says]) => [code, says]);
  expect(rows).toEqual(Object.entries(exitCodes));
  for (const code of Object.keys(exitCodes)) expect(help).toMatch(new RegExp(`^  ${code}\\b`, "m"));
  for (const name of Object.keys(commands).filter((name) => !/^log/.test(name)))
    expect(page).toMatch(new RegExp(`\`${name}\\b`));
});

test.each([
  [400, "validation_failed", 1],
  [401, "api_key_invalid", 3],
  [403, "api_key_insufficient_scope", 3],
  [403, "session_token_required", 3],
  [403, "forbidden", 1],
  [404, "not_found", 4],
  [409, "estimation_locked", 5],
  [412, "revision_mismatch", 5],
  [429, "rate_limited", 6],
  [503, "service_unavailable", 6],
  [500, "internal_error", 1],
])("%i %s ends the program with %i", (status, message, code) => {
  expect(exitCodeOf(status, message)).toBe(code);
});
