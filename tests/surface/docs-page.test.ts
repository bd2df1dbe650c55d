import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { isRepeatable } from "../../contract/endpoint.ts";
import { errorKeys, errorRow } from "../../contract/errors.ts";
import { contract, type EndpointId, endpointEntries } from "../../contract/index.ts";
import { faultCodes } from "../../contract/values/faults.ts";
import { start } from "../harness.ts";
import { saveRows } from "../support/saved-rows.ts";
import { callerOf, sampleOf } from "./call.ts";
import { makeWorld, sampleConfig } from "./samples.ts";

const app = await start({ config: { ...sampleConfig, rateLimitAuthPerMinute: 1_000_000 } });
const world = await makeWorld(app);
const { text: page } = await app.request("GET", "/docs");
const { restore } = await saveRows(app.pool);

const plain = (html: string): string =>
  html
    .replace(/<[^>]+>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
const articleOf = (id: string): string => page.split(`<article id="${id}">`)[1]?.split("</article>")[0] ?? "";
const commandOf = (id: string): string =>
  plain(/<pre[^>]*>([\s\S]*?)<\/pre>/.exec(articleOf(id))?.[1] ?? "").replaceAll(app.services.config.baseUrl, app.url);

/** An id of each kind of record, by the name of the variable that commands use in their query. */
const idsByKind = Object.fromEntries(
  Object.values(world).flatMap((value) => {
    const kind = typeof value === "string" ? /^([a-z]+)_[0-9a-z]{26}$/.exec(value)?.[1] : undefined;
    return kind === undefined ? [] : [[`${kind}_id`, value]];
  }),
);
const run = promisify(execFile);

/** Runs the command of an endpoint in a shell, as a reader who copied it, and returns what it printed and the status. */
async function play(id: EndpointId): Promise<{ status: number; text: string }> {
  const env = {
    ...process.env,
    ...idsByKind,
    TOKEN: callerOf(contract[id], world)?.token,
    ...sampleOf(id, world).params,
  };
  const { stdout } = await run("bash", ["-c", `${commandOf(id)} -sS -w '\\n%{http_code}'`], { env });
  const at = stdout.lastIndexOf("\n");
  return { status: Number(stdout.slice(at + 1)), text: stdout.slice(0, at) };
}

describe("the command of an endpoint on /docs", () => {
  test.each(endpointEntries.filter(([, { method }]) => method === "GET"))("%s succeeds", async (id, { response }) => {
    const { status, text } = await play(id);
    expect([status, text.slice(0, 300)]).toEqual([response.status, expect.anything()]);
  });

  // Ids in the bodies of examples stand for other records.
  test.each(endpointEntries.filter(([, { method }]) => method !== "GET"))("%s is accepted", async (id) => {
    const { status, text } = await play(id);
    await restore();
    const { errors = [], details } = JSON.parse(text) as { errors?: { in: string }[]; details?: { reason?: string } };
    expect([status, details?.reason]).not.toContain("unknown_path");
    expect([400, 404, 405, 415].includes(status) ? errors.filter((row) => row.in !== "body") : []).toEqual([]);
    expect([405, 415, 422]).not.toContain(status);
    expect(JSON.parse(text).message).not.toBe("invalid_json");
  });
});

test.each(endpointEntries)("%s is marked if it accepts an Idempotency-Key", (id, row) => {
  expect(/<span class="tag">Idempotency-Key<\/span>/.test(articleOf(id))).toBe(isRepeatable(row));
});

test("errors are shown with their hints, and the codes of faults with their meaning", () => {
  const shown = plain(page).replaceAll(/\s+/g, " ");
  const words = (text: string) => text.replaceAll("`", "");
  for (const key of errorKeys) expect(shown).toContain(words(errorRow(key).hint ?? ""));
  for (const [code, meaning] of Object.entries(faultCodes)) expect(shown).toContain(`${code}${words(meaning)}`);
});
