import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { EXAMPLE_SECRET } from "../../contract/values/delivery-headers.ts";
import { eventOperations } from "../../server/http/openapi/events.ts";
import { type Json, start, type TestUser } from "../harness.ts";
import { runProgram } from "../support/program.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const blocksOf = (page: string) => [...read(page).matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)];
const commandsOf = (page: string) =>
  blocksOf(page).flatMap(([, language, text = ""]) => (language === "bash" ? [text] : []));

/** In the order in which a reader meets them. */
const pages = [
  "README.md",
  ...[...read("docs/README.md").matchAll(/\]\(((?:clients\/)?[\w-]+\.md)\)/g)].map(([, name]) => `docs/${name}`),
];

/** Pages whose commands other tests play: they need a terminal of their own, or other programs. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "README.md": "tests/surface/readme.test.ts",
  "docs/tour.md": "tests/surface/tour/tour.test.ts",
  "docs/command-line.md": "tests/journeys/cli.test.ts",
  "docs/backup.md": "server/commands/backup.test.ts",
  "docs/identity.md": "server/commands/user-add.test.ts",
  // Its installation; the other commands are below.
  "docs/webhooks.md": "receiver/testing/empty-project.ts",
  "docs/operations.md": "tests/deploy/operations.test.ts",
  "docs/clients/README.md": "receiver/testing/empty-project.ts",
  "docs/clients/python.md": "tests/generators/languages.ts",
  "docs/clients/go.md": "tests/generators/languages.ts",
};

const played = pages.filter((page) => commandsOf(page).length > 0 && !(page in ELSEWHERE));

test("every page with commands is in the list, in shells by the name of bash", () => {
  const all = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".md"),
  );
  for (const page of all.map((name) => join("docs", name))) {
    const shells = blocksOf(page).filter(([, language = ""]) => /^(sh|shell|console|bash)$/.test(language));
    expect(shells.map(([, language]) => language)).toEqual(commandsOf(page).map(() => "bash"));
    if (shells.length > 0) expect(pages).toContain(page);
  }
  for (const [page, test] of Object.entries(ELSEWHERE)) {
    expect(commandsOf(page).length, page).toBeGreaterThan(0);
    expect(existsSync(join(root, test)), test).toBe(true);
  }
  expect(played.length).toBeGreaterThan(4);
});

const app = await start();

async function signUp(email?: string): Promise<TestUser> {
  const user = await app.signUp();
  const verify = "update users set email_verified_at = now(), email = coalesce($2, email) where id = $1";
  await app.pool.query(verify, [user.userId, email ?? null]);
  return user;
}

/** The scopes that a page says its key needs. */
const scopesOf = (page: string): string[] => {
  const [, said = ""] = /`\$KEY` needs the scopes?\s((?:`[\w:]+`(?:,\s|\sand\s)?)+)/.exec(read(page)) ?? [];
  return [...said.matchAll(/`([\w:]+)`/g)].map(([, scope = ""]) => scope);
};

await signUp("ada@example.com");

test.each(played)("the commands of %s work one after the other, with the documented key", async (page) => {
  const user = await signUp();
  const { data } = await app.request("POST", "/api/estimations", { token: user.token, body: { title: "Shop" } });
  const estimation = data.estimation as Json;
  const nodes = [{ title: "Payment", kind: "group", options: [{ title: "Card", hours: 8 }] }];
  await app.request("PUT", `/api/estimations/${estimation.id}/tree`, { token: user.token, body: { nodes } });
  const env = {
    API: `${app.url}/api`,
    TOKEN: user.token,
    KEY: await app.makeKey(user, scopesOf(page)),
    ESTIMATION: String(estimation.id),
  };
  const shell = runProgram(["bash"], { cwd: root, env });
  // A refusal ends the shell, as any other fault does.
  shell.write('set -euo pipefail\ncurl() { command curl -sS --fail-with-body "$@"; }\n');
  for (const commands of commandsOf(page)) shell.write(`${commands}\n`);
  shell.write("exit\n");
  expect([await shell.ended, shell.printed.err], shell.printed.out).toEqual([0, ""]);
  if (page === "docs/states-and-versions.md") expect(shell.printed.out.trim()).toBe("true");
});

test("the commands of docs/webhooks.md compute the signatures of the example without a library", async () => {
  const folder = await mkdtemp(join(tmpdir(), "estimation-webhook-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const operations = eventOperations() as unknown as Readonly<Record<string, { readonly post: Operation }>>;
  const { parameters, requestBody } = operations["webhook.test"]?.post ?? expect.fail("no example");
  const headers = Object.fromEntries(parameters.map(({ name, example }) => [name.toLowerCase(), example]));
  await writeFile(
    join(folder, "body.json"),
    JSON.stringify(requestBody.content["application/json"].examples.data.value),
  );
  const env = {
    WEBHOOK_SECRET: EXAMPLE_SECRET,
    WEBHOOK_ID: headers["webhook-id"] ?? "",
    WEBHOOK_TIMESTAMP: headers["webhook-timestamp"] ?? "",
  };
  const shell = runProgram(["bash"], { cwd: folder, env });
  const commands = commandsOf("docs/webhooks.md").filter((text) => text.includes("openssl"));
  shell.write(`set -euo pipefail\n${commands.join("\n")}\nexit\n`);
  expect([await shell.ended, shell.printed.err]).toEqual([0, ""]);
  expect(shell.printed.out.trim().split("\n")).toEqual([headers["x-service-signature"], headers["webhook-signature"]]);
});

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly example: string }[];
  readonly requestBody: {
    readonly content: { readonly "application/json": { readonly examples: { readonly data: { value: object } } } };
  };
}
