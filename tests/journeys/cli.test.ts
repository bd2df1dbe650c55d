import { execFile, spawn } from "node:child_process";
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { figure } from "../../clients/cli/screen/figures.ts";
import { clean, widthOf } from "../../clients/cli/screen/text.ts";
import { type Json, start, until } from "../harness.ts";
import { startGithub } from "../support/github/server.ts";
import { makeJobsDue } from "../support/jobs.ts";
import { runProgram } from "../support/program.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const app = await start({ worker: true, config: { githubWritesPerMinute: 6_000 } });
const { dataDir } = app.services.config;
const github = await startGithub({ now: app.clock.now, name: "nordlicht/shop" });
github.trustedBy(dataDir);

const SCOPES = [
  "estimations:read",
  "estimations:write",
  "tasks:read",
  "tasks:write",
  "tasks:export",
  "webhooks:manage",
];

let folder: string;
/** The program as people install it. */
let estimate: string;
let ada: Awaited<ReturnType<typeof app.signUp>>;
let key: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "estimation-cli-test-"));
  await promisify(execFile)(process.execPath, [join(root, "scripts/pack-cli.ts"), folder]);
  estimate = join(folder, "estimate.mjs");
  ada = await app.signUp("ada@example.com");
  key = await app.makeKey(ada, SCOPES);
});
afterAll(async () => {
  await github.close();
  await rm(folder, { recursive: true });
});

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface Run {
  readonly env?: Record<string, string>;
  readonly input?: string;
  readonly cwd?: string;
}

const HERE = () => ({ PATH: process.env.PATH ?? "", HOME: folder, XDG_CONFIG_HOME: join(folder, "config") });

/** Runs `estimate` to its end, without a terminal. */
async function run(args: readonly string[], { env = {}, input = "", cwd = folder }: Run = {}): Promise<Ran> {
  const child = spawn(process.execPath, [estimate, ...args], { env: { ...HERE(), ...env }, cwd });
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  for (const printed of [out, err]) {
    expect(printed).not.toContain(key);
    expect(printed).not.toContain("\u001b");
  }
  return { code, out, err };
}

/** Runs `estimate` and returns what it prints; it has to succeed. */
async function ok(args: readonly string[], options?: Run): Promise<string> {
  const { code, out, err } = await run(args, options);
  expect(code, err).toBe(0);
  return out;
}

const okJson = async (args: readonly string[], options?: Run) => JSON.parse(await ok([...args, "--json"], options));

/** Starts `estimate` and lets it run. */
const begin = (args: readonly string[], env: Record<string, string> = {}) =>
  runProgram([process.execPath, estimate, ...args], { env: { ...HERE(), ...env }, cwd: folder });

interface OnTerminal {
  readonly env?: Record<string, string>;
  /** What is typed once the terminal shows a text. */
  readonly answer?: { readonly to: string; readonly typed: string };
}

/** Runs `estimate` on a terminal of 80 columns, and returns all that the terminal was sent. */
async function onTerminal(args: readonly string[], { env = {}, answer }: OnTerminal = {}): Promise<string> {
  const words = [process.execPath, estimate, ...args].map((word) => `'${word}'`).join(" ");
  const child = spawn("script", ["-qec", `stty cols 80; ${words}`, "/dev/null"], {
    env: { ...HERE(), TERM: "xterm", SHELL: "/bin/sh", ...env },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => {
    printed += chunk.toString("utf8");
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  if (answer) {
    await until(() => printed.includes(answer.to));
    child.stdin.write(answer.typed);
  }
  await ended;
  return printed;
}

/** Makes an editor of a shell script, in which `$1` is the file; returns its command. */
async function editor(script: string): Promise<string> {
  const file = join(folder, `editor-${Math.random().toString(36).slice(2)}.sh`);
  await writeFile(file, `#!/bin/sh\nset -e\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}

const OUTLINE = `# Web shop

Client: Nordlicht
Hourly rate: 100
Currency: EUR

- Payment (choose one, required)
  > How do customers pay?
  - [x] Card: 4-16-34 @backend
  - [ ] PayPal: 8-12-20
- Screens
  - Form: 3-4.5-8 x9(screen) @ux
`;

/** Makes an estimation of the outline under a title of its own; returns its id. */
async function makeShop(title: string): Promise<string> {
  await writeFile(join(folder, "shop.md"), OUTLINE);
  return (await okJson(["new", "shop.md", "--title", title])).estimation.id;
}

const read = async (id: string): Promise<Json> =>
  (await app.request("GET", `/api/estimations/${id}`, { token: ada.token })).data.estimation ?? expect.fail("gone");
const treeOf = async (id: string) =>
  (await app.request("GET", `/api/estimations/${id}/tree`, { token: ada.token })).data.tree as unknown as {
    readonly nodes: readonly {
      readonly id: string;
      readonly title: string;
      readonly options: readonly {
        readonly id: string;
        readonly title: string;
        readonly selected: boolean;
        readonly hours: unknown;
      }[];
    }[];
  };
const optionsOf = async (id: string) => (await treeOf(id)).nodes.flatMap(({ options }) => options);

describe("signing in", () => {
  test("without a key every command says how to get one", async () => {
    expect(await run(["list"])).toEqual({
      code: 3,
      out: "",
      err: "estimate: no key: estimate login, or set ESTIMATE_TOKEN\n",
    });
  });

  test("a key that is refused is not stored", async () => {
    const refused = await run(["login", app.url], { input: "svc_live_wrong\n" });
    expect([refused.code, refused.err]).toEqual([3, expect.stringContaining("api_key_invalid (401)")]);
    expect(await readdir(folder)).not.toContain("config");
    expect(await run(["login", app.url])).toMatchObject({ code: 3, err: "estimate: no key was given\n" });
  });

  test("stores address and key for the owner only, and says what the key may", async () => {
    const out = await ok(["login", `${app.url}/api/`], { input: `${key}\n` });
    expect(out).toContain(`Signed in to ${app.url} as `);
    expect(out).toContain("tasks:export");
    const file = join(folder, "config/estimate/access.json");
    expect(out).toContain(file);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ url: app.url, key });
  });

  test("the key does not appear while it is typed", async () => {
    const env = { XDG_CONFIG_HOME: join(folder, "typed") };
    const answer = { to: "API key (from ", typed: `${key}\r` };
    const printed = await onTerminal(["login", app.url], { env, answer });
    expect(printed).toContain("Signed in to ");
    expect(printed).not.toContain(key.slice(0, 20));
    await ok(["logout"], { env });
    expect(await run(["list"], { env })).toMatchObject({ code: 3 });
  });

  test("the environment comes before what is stored, and a stored key goes to its own address only", async () => {
    const other = await app.makeKey(await app.signUp(), ["estimations:read"]);
    expect((await okJson(["list"], { env: { ESTIMATE_TOKEN: other } })).estimations).toEqual([]);
    const elsewhere = await run(["list"], { env: { ESTIMATE_URL: "http://127.0.0.1:1" } });
    expect(elsewhere).toMatchObject({ code: 3, err: expect.stringContaining("the stored key is for") });
  });
});

describe("the whole job", () => {
  let id: string;

  test("an outline becomes an estimation, which is listed and shown in 80 columns without escape codes", async () => {
    id = await makeShop("Web shop");
    const list = await ok(["list", "--q", "web"]);
    expect(list).toContain(id);
    const shown = await ok(["show", "Web shop"]);
    for (const line of `${list}\n${shown}`.split("\n")) expect(widthOf(line), line).toBeLessThanOrEqual(80);
    expect(shown).toMatch(/● Card +4–16–34 +├─*●─*┤/);
    expect(shown).toMatch(/· Form ×9 screen +27–40\.5–72/);
    expect(shown).toMatch(/What makes it uncertain/);
    const { estimation, hours, explanation } = await okJson(["show", `${app.url}/estimations/${id}`]);
    expect(estimation.title).toBe("Web shop");
    expect(shown).toContain(`${figure(hours.p80)} h`);
    expect(explanation.clarify.length).toBeGreaterThan(0);
    const [option] = await optionsOf(id);
    expect(await ok(["show", id, "--ids"])).toContain(option?.id);
  });

  test("an option is chosen by its title, tried out before, and the others give way", async () => {
    const tried = await ok(["hours", id, "--what-if"]);
    expect(tried).toMatch(/Payment \/ PayPal +−/);
    const would = await okJson(["hours", id, "--select", "PayPal"]);
    expect(await ok(["hours", id, "--select", "PayPal"])).toMatch(/P80 +\S+ +\S+ +−/);
    expect((await optionsOf(id))[1]).toMatchObject({ selected: false });
    const chosen = await ok(["choose", id, "paypal"]);
    expect(chosen).toContain("Selected Payment / PayPal.\nDeselected Payment / Card.\n");
    expect((await read(id)).hours?.p80).toBe(would.hours.p80);
    expect(await okJson(["choose", id, "Payment / Card"])).toMatchObject({ option: { title: "Card", selected: true } });
    await ok(["choose", id, "Card", "--off"]);
    await ok(["choose", id, "Card"]);
  });

  test("tasks are previewed, generated and listed", async () => {
    expect(await ok(["tasks", id, "--preview"])).toMatch(/Would be: \d created/);
    expect((await okJson(["tasks", id])).tasks).toEqual([]);
    await ok(["tasks", id, "--generate"]);
    const listed = await ok(["tasks", id]);
    expect(listed).toMatch(/Card +17 +backend +open/);
    for (const line of listed.split("\n")) expect(widthOf(line)).toBeLessThanOrEqual(80);
  });

  describe("an export", () => {
    let connection: string;
    const place = () => ["export", id, "--to", "github", "--repository", github.name];

    beforeAll(async () => {
      const body = { target: "github", name: "Nordlicht", baseUrl: github.url, token: github.token };
      const { data } = await app.request("POST", "/api/connections", { token: ada.token, body });
      connection = String(data.connection?.id);
    });

    /** Exports, while the clock of the service goes on. */
    async function exporting(...more: string[]): Promise<Ran> {
      let isOver = false;
      const moves = (async () => {
        while (!isOver) {
          await app.clock.advance(100);
          await makeJobsDue(app.pool);
          await wait(20);
        }
      })();
      try {
        return await run([...place(), ...more]);
      } finally {
        isOver = true;
        await moves;
      }
    }

    test("needs a connection the first time, and makes nothing if it is a dry run", async () => {
      const without = await run([...place(), "--dry-run"]);
      expect(without).toMatchObject({ code: 2, err: expect.stringContaining("--connection names your connection") });
      const dry = await exporting("--connection", connection, "--dry-run");
      expect(dry, dry.err).toMatchObject({
        code: 0,
        out: expect.stringMatching(/would create +Payment: Card[\s\S]*Dry run, nothing was written: \d created/),
      });
      expect(github.repository.issues).toEqual([]);
    });

    test("makes issues, with the connection of before, and shows where they are", async () => {
      const real = await exporting();
      expect(real.err).toContain(`With ${connection}, the connection of the last export there`);
      expect(real, real.err).toMatchObject({ code: 0, out: expect.stringMatching(/created +Payment: Card\n +https/) });
      expect(github.repository.issues.length).toBeGreaterThan(2);
    });
  });

  test("any other request can be sent, and its pages read as one", async () => {
    for (let count = 1; count <= 3; count += 1)
      await okJson(["api", "POST", "/estimations", "--data", `{"title":"Many ${count}"}`]);
    const pages = JSON.parse(await ok(["api", "GET", "/api/estimations?limit=1&q=Many", "--paginate"]));
    expect(pages).toMatchObject({
      estimations: [{ title: "Many 3" }, { title: "Many 2" }, { title: "Many 1" }],
      nextCursor: null,
    });
    expect(await ok(["api", "GET", `/estimations/${id}/export?format=csv`])).toMatch(/^.*path/);
    await ok(["api", "GET", `/estimations/${id}/export?format=xlsx`, "--output", "shop.xlsx"]);
    expect((await readFile(join(folder, "shop.xlsx"))).subarray(0, 2).toString()).toBe("PK");
    const body = { input: '{"title":"Other"}', env: {} };
    const stale = ["api", "PUT", `/estimations/${id}`, "--data", "-", "--header", 'If-Match: "1"'];
    expect(await run(stale, body)).toMatchObject({
      code: 5,
      out: "",
      err: expect.stringContaining("revision_mismatch (412)"),
    });
    expect(await ok(["api", "tasks"])).toContain("POST   /api/estimations/:id/tasks/generate");
    const stream = await ok(["api", "GET", "/live?seconds=0"]);
    expect(JSON.parse(stream)).toMatchObject({ type: "opened" });
  });
});

describe("editing", () => {
  test("stores what the editor leaves, with the ids of before; then nothing is left here", async () => {
    const id = await makeShop("Edited");
    const before = await optionsOf(id);
    const change = await editor(
      `sed -i 's/Card: 4-16-34/Credit card: 4-16-34/; s/^Client: .*/Client: Ada/; s/Form: 3-4.5-8/Form: 3-5-9/' "$1"`,
    );
    const out = await ok(["edit", "Edited"], { env: { EDITOR: change } });
    expect(out).toMatch(/^Stored as revision 3: 2 changed \(Credit card, Form\), clientName\.\nP80 \S+ hours \(\+/);
    const after = await optionsOf(id);
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    expect(after.map(({ title }) => title)).toEqual(["Credit card", "PayPal", "Form"]);
    expect(await read(id)).toMatchObject({ clientName: "Ada" });
    expect(await readdir(join(folder, "config/estimate/drafts"))).toEqual([]);
  });

  test("stores nothing if nothing has changed, or the editor ends with a fault", async () => {
    const id = await makeShop("Untouched");
    expect(await run(["edit", id], { env: { EDITOR: "true" } })).toMatchObject({
      code: 0,
      out: "",
      err: "Nothing has changed.\n",
    });
    expect(await run(["edit", id], { env: { VISUAL: "false", EDITOR: "true" } })).toMatchObject({ code: 1 });
    const deleting = await run(["edit", id], { env: { EDITOR: "rm" } });
    expect(deleting).toMatchObject({ code: 1, err: expect.stringContaining("the editor deleted the outline") });
    expect((await read(id)).revision).toBe(1);
    expect(await readdir(join(folder, "config/estimate/drafts"))).toEqual([]);
  });

  test("shows what others have changed meanwhile, merges it, and goes on from there", async () => {
    const id = await makeShop("Contested");
    const path = `${app.url}/api/estimations/${id}`;
    const [, payPal] = await optionsOf(id);
    // Somebody else renames an option while the editor is open.
    const patch = `curl -sSf -X PATCH -H 'Authorization: Bearer ${ada.token}' -H 'Content-Type: application/json' -d '{"title":"PayPal Plus"}' ${path}/tree/options/${payPal?.id} > /dev/null`;
    const mine = await editor(`sed -i 's/Form: 3-4.5-8/Form: 3-5-9/' "$1"\n${patch}`);
    const first = await run(["edit", id], { env: { EDITOR: mine } });
    expect(first).toMatchObject({ code: 5, out: "" });
    expect(first.err).toMatch(/up to revision 2:\n- +- \[ \] PayPal: 8-12-20\n\+ +- \[ \] PayPal Plus: 8-12-20\n/);
    expect(first.err).toMatch(
      /Your outline is kept in .*: --resume goes on with it\.\nestimate: their changes are in your outline now/,
    );
    expect((await read(id)).revision).toBe(2);
    expect(await run(["edit", id], { env: { EDITOR: "true" } })).toMatchObject({
      code: 5,
      err: expect.stringContaining("--resume"),
    });
    await ok(["edit", id, "--resume"], { env: { EDITOR: "true" } });
    expect((await optionsOf(id)).map(({ title }) => title)).toEqual(["Card", "PayPal Plus", "Form"]);
    expect((await optionsOf(id))[2]).toMatchObject({ hours: { pessimistic: 9 } });
  });

  test("marks lines that both have changed, and refuses to store the marks", async () => {
    const id = await makeShop("Disputed");
    const [, payPal] = await optionsOf(id);
    const patch = `curl -sSf -X PATCH -H 'Authorization: Bearer ${ada.token}' -H 'Content-Type: application/json' -d '{"hours":5}' ${app.url}/api/estimations/${id}/tree/options/${payPal?.id} > /dev/null`;
    const first = await run(["edit", id], {
      env: { EDITOR: await editor(`sed -i 's/PayPal: 8-12-20/PayPal: 9/' "$1"\n${patch}`) },
    });
    expect(first).toMatchObject({ code: 5, err: expect.stringContaining("one place has both changes") });
    const again = await run(["edit", id, "--resume"], { env: { EDITOR: "true" } });
    expect(again).toMatchObject({ code: 1, err: expect.stringMatching(/line \d+: is a mark of a conflict/) });
    const settle = await editor(`sed -i '/^<<<<<<</d; /^=======/,/^>>>>>>>/d' "$1"`);
    await ok(["edit", id, "--resume"], { env: { EDITOR: settle } });
    expect((await optionsOf(id))[1]).toMatchObject({ id: payPal?.id, hours: { likely: 9 } });
  });

  test("keeps an outline that cannot be read, or that the service refuses", async () => {
    const id = await makeShop("Faulty");
    const faulty = await run(["edit", id], { env: { EDITOR: await editor(`echo '- Card: 1,5' >> "$1"`) } });
    expect(faulty).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringMatching(/line \d+: write a point for decimals/),
    });
    const tooLong = await editor(`sed -i '$d' "$1"; sed -i 's/Card/${"x".repeat(3_000)}/' "$1"`);
    const refused = await run(["edit", id, "--resume"], { env: { EDITOR: tooLong } });
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("validation_failed (400)") });
    const draft = await readFile(join(folder, `config/estimate/drafts/${id}.md`), "utf8");
    expect(draft).toContain("x".repeat(3_000));
    expect((await read(id)).revision).toBe(1);
    await ok(["edit", id, "--discard"], { env: { EDITOR: "true" } });
  });

  test("on a terminal, offers to open the editor again", async () => {
    const id = await makeShop("Again");
    const twice = await editor(
      `if grep -q '1,5' "$1"; then sed -i 's/1,5/1.5/' "$1"; else echo '- Card: 1,5' >> "$1"; fi`,
    );
    const printed = await onTerminal(["edit", id], {
      env: { EDITOR: twice },
      answer: { to: "Open the editor again? [Y/n]", typed: "\r" },
    });
    expect(printed).toContain("Stored as revision 2: ");
  });

  test("is not begun where the outline could not be stored", async () => {
    const id = await makeShop("Submitted");
    await app.request("POST", `/api/estimations/${id}/submit`, { token: ada.token });
    expect(await run(["edit", id], { env: { EDITOR: "true" } })).toMatchObject({
      code: 5,
      err: expect.stringContaining("only a draft can be changed"),
    });
  });

  test("Ctrl-C is the editor's; ending both keeps what was typed", async () => {
    const id = await makeShop("Stopped");
    const slow = await editor(
      `trap '' INT\nsed -i 's/Card: 4-16-34/Card: 9/' "$1"\necho typed >&2\nfor _ in $(seq 1200); do sleep 0.05; done`,
    );
    const editing = begin(["edit", id], { EDITOR: slow });
    await until(() => editing.printed.err.includes("typed"));
    editing.send("SIGINT");
    editing.send("SIGTERM");
    await until(() => editing.printed.err.includes("is kept in"));
    expect([await editing.ended, editing.printed.out]).toEqual([130, ""]);
    expect((await read(id)).revision).toBe(1);
    await ok(["edit", id, "--resume"], { env: { EDITOR: "true" } });
    expect((await optionsOf(id))[0]).toMatchObject({ hours: { likely: 9 } });
  });
});

describe("what goes on until Ctrl-C", () => {
  test("watching tells who did what, connects again, and ends with 130", async () => {
    const id = await makeShop("Watched");
    const watching = begin(["watch", id]);
    await watching.shows(/Watched {2}revision 1/);
    const rename = (title: string) =>
      app.request("PATCH", `/api/estimations/${id}`, { token: ada.token, body: { title } });
    // The stream may not follow the estimation yet: what it has missed it tells when it does.
    await rename("Watched \u001b[31mred");
    await watching.shows(/\d\d:\d\d:\d\d {2}.*revision 2, P80/);
    const [, payPal] = await optionsOf(id);
    await app.request("POST", `/api/estimations/${id}/tree/options/${payPal?.id}/select`, { token: ada.token });
    await watching.shows(/content edited {2}revision 3, P80 \S+ h \(−/);
    watching.send("SIGINT");
    expect(await watching.ended).toBe(130);
    expect(watching.printed.out + watching.printed.err).not.toContain("\u001b");
  });

  test("watching ends with 4 when the estimation may not be read any more, and prints events as lines of JSON", async () => {
    const id = await makeShop("Deleted");
    const watching = begin(["watch", id, "--json"]);
    await watching.shows(/"type":"changed"/);
    await app.request("DELETE", `/api/estimations/${id}`, { token: ada.token });
    expect(await watching.ended).toBe(4);
    const lines = watching.printed.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.at(-1)).toMatchObject({ type: "closed", estimationId: id });
  });

  test("listening registers a webhook, verifies what comes, and leaves nothing behind", async () => {
    const json = begin(["listen", "--port", "0", "--http", "--json"]);
    await until(() => /Receiving webhooks at (\S+)\n/.test(json.printed.err));
    const [, plain = ""] = /Receiving webhooks at (\S+)\n/.exec(json.printed.err) ?? [];
    await fetch(`${plain}/hook`, { method: "POST", body: "{}" });
    await json.shows(/^\{"path":"\/hook",.*"body":"\{\}"\}\n$/);
    json.send("SIGINT");
    expect(await json.ended).toBe(130);

    const listening = begin(["listen", "--port", "0", "--events", "all", "--data-dir", dataDir]);
    const [, url] = await listening.shows(/Receiving webhooks at (\S+)\n/);
    const trusted = () => readdir(join(dataDir, "trusted-ca"));
    const certificate = expect.stringMatching(/^listen/);
    expect(await trusted()).toContainEqual(certificate);
    const { data } = await app.request("GET", "/api/webhooks", { token: ada.token });
    const webhook = data.webhooks?.[0];
    expect(webhook).toMatchObject({ url });
    await app.request("POST", `/api/webhooks/${webhook?.id}/test`, { token: ada.token });
    await listening.shows(/"event":"webhook\.test"|webhook\.test[\s\S]*Both signatures are right\./);
    await listening.shows(/Both signatures are right\./);
    listening.send("SIGINT");
    expect([await listening.ended, listening.printed.err]).toEqual([
      130,
      expect.stringContaining(`Removed ${webhook?.id}`),
    ]);
    expect((await app.request("GET", "/api/webhooks", { token: ada.token })).data.webhooks).toEqual([]);
    expect(await trusted()).not.toContainEqual(certificate);
  });

  test("a dry run that nobody waits for is cancelled; an export goes on, and the program says how to follow it", async () => {
    const id = await makeShop("Left");
    await ok(["tasks", id, "--generate"]);
    const body = { target: "github", name: "Second", baseUrl: github.url, token: github.token };
    const { data } = await app.request("POST", "/api/connections", { token: ada.token, body });
    const place = [
      "export",
      id,
      "--to",
      "github",
      "--repository",
      github.name,
      "--connection",
      String(data.connection?.id),
    ];
    const latest = async () =>
      (await app.request("GET", `/api/estimations/${id}/exports`, { token: ada.token })).data.exports?.[0];
    /** Starts an export and presses Ctrl-C while it is under way; returns its id and what the person is told. */
    const leave = async (...more: string[]) => {
      const before = (await latest())?.id;
      // So that it cannot end by itself before anybody presses anything.
      github.faults.next("slow_before");
      const left = begin([...place, ...more]);
      const running = await until(async () => {
        const one = await latest();
        return one?.id === before ? null : one;
      });
      left.send("SIGINT");
      expect(await left.ended).toBe(130);
      return { id: String(running?.id), err: left.printed.err };
    };
    const isCancelled = () =>
      until(async () => {
        github.release();
        await app.clock.advance(1_000);
        await makeJobsDue(app.pool);
        const one = await latest();
        return one?.endedAt ? String(one.status) === "cancelled" : null;
      });
    const dry = await leave("--dry-run");
    expect(dry.err).toContain("The dry run was cancelled; it has changed nothing.");
    expect(await isCancelled()).toBe(true);
    const real = await leave();
    expect(real.err).toContain("The export goes on at the service.");
    const cancel = /To cancel it: estimate (api POST \S+)/.exec(real.err)?.[1]?.split(" ") ?? [];
    expect(cancel.at(-1)).toContain(real.id);
    await ok(cancel);
    expect(await isCancelled()).toBe(true);
  });
});

test("what people have typed into titles does not reach the terminal as anything but text", async () => {
  const title = "\u001b]0;owned\u0007Hostile \u001b[31mred\u009b2J \u202etxt";
  const body = { title, tags: ["\u001b[5mtag"], clientName: "\u001b[2Kclient" };
  const { data } = await app.request("POST", "/api/estimations", { token: ada.token, body });
  const id = String(data.estimation?.id);
  const hours = { optimistic: 1, likely: 2, pessimistic: 9 };
  const nodes = [
    { title: `\u001b[8m${title}`, kind: "group", options: [{ title, hours, role: "\u001b[7mrole" }] },
    { title, kind: "multi", options: [{ title: `Other ${title}`, hours }] },
  ];
  await app.request("PUT", `/api/estimations/${id}/tree`, { token: ada.token, body: { nodes } });
  await app.request("POST", `/api/estimations/${id}/tasks/generate`, { token: ada.token });
  for (const args of [
    ["list"],
    ["show", id],
    ["hours", id, "--what-if"],
    ["tasks", id],
    ["show", id, "--json"],
    ["api", "GET", `/estimations/${id}`],
  ]) {
    const out = await ok(args);
    expect(out).toContain("Hostile");
    expect(out.replaceAll("\n", ""), args.join(" ")).not.toMatch(/[\p{Cc}\u202e]/u);
  }
  expect((await okJson(["show", id])).estimation.title).toBe(title);
  // On a terminal there are colours, and only those.
  const printed = await onTerminal(["show", id]);
  expect(printed).toContain("\u001b[1m");
  for (const acting of ["owned\u0007", "\u001b[31m", "\u009b", "\u001b[5m", "\u001b[8m"])
    expect(printed).not.toContain(acting);
  for (const line of printed.split("\r\n")) expect(widthOf(clean(line)), line).toBeLessThanOrEqual(80);
  expect(await onTerminal(["show", id], { env: { NO_COLOR: "1" } })).not.toContain("\u001b[1m");
});

describe("exit codes", () => {
  test.each([
    [2, ["nonsense"], "there is no command nonsense"],
    [2, ["help", "constructor"], "there is no command constructor"],
    [2, ["show"], "usage: estimate show ID"],
    [2, ["show", "a", "b"], "usage: estimate show ID"],
    [2, ["list", "--nonsense"], "Unknown option '--nonsense'"],
    [2, ["list", "--status", "new"], "--status is one of draft"],
    [2, ["new", "missing.md"], "missing.md cannot be read: ENOENT"],
    [2, ["new", "what.ever"], "--format says it"],
    [2, ["api", "FETCH", "/estimations"], "FETCH is no method"],
    [2, ["api", "POST", "/estimations", "--data", "{"], "--data is no JSON"],
    [2, ["export", "est_01k6z0c9v3e8rbt5w2yq4nmhxd"], "--to names the tracker"],
    [2, ["edit", "est_01k6z0c9v3e8rbt5w2yq4nmhxd", "--resume", "--discard"], "exclude each other"],
    [4, ["show", "est_01k6z0c9v3e8rbt5w2yq4nmhxd"], "not_found (404)"],
    [4, ["show", "no such title"], 'no estimation has "no such title" in its title'],
    [3, ["api", "GET", "/connections"], "session_token_required (403)"],
    [1, ["api", "POST", "/estimations", "--data", '{"title":""}'], "validation_failed (400)\n  /title: "],
  ])("%i for estimate %j", async (code, args, message) => {
    const ran = await run(args);
    expect([ran.code, ran.out, ran.err]).toEqual([code, "", expect.stringContaining(message)]);
    expect(ran.err).toMatch(/^estimate: /);
  });

  test("an outline with faults is reported by line, as compilers do", async () => {
    await writeFile(join(folder, "faulty.md"), "# Shop\n\n- Payment\n  - Card: 1,5\n");
    expect(await run(["new", "faulty.md"])).toMatchObject({ code: 1, err: expect.stringMatching(/^faulty\.md:4: /m) });
  });

  test("what is left out of an outline, or should be looked at, is told by line", async () => {
    await writeFile(
      join(folder, "noted.txt"),
      "Shop\n  Payment\n    Card: 7\n      Parts\n        Form: 7\n<!-- draft -->\n",
    );
    const { code, err } = await run(["new", "noted.txt", "--decimal", "."]);
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(/^noted\.txt:3: 7 h again .*\nnoted\.txt:6: a comment is left out$/m),
    ]);
  });

  test("several estimations or options that fit are named", async () => {
    const [first, second] = [await makeShop("Twin"), await makeShop("Twin")];
    const several = await run(["show", "twin"]);
    expect(several.code).toBe(2);
    for (const id of [first, second]) expect(several.err).toContain(id);
    expect(await run(["choose", String(first), "nothing like it"])).toMatchObject({ code: 4 });
  });

  test("6 where nothing responds, or too many requests were sent", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { readonly port: number };
    await new Promise((resolve) => server.close(resolve));
    const env = { ESTIMATE_URL: `http://127.0.0.1:${port}`, ESTIMATE_TOKEN: key };
    const away = await run(["list"], { env });
    expect(away).toMatchObject({
      code: 6,
      err: expect.stringMatching(/again in[\s\S]*no connection to .*ECONNREFUSED/),
    });
  });

  test("5 for a change that the state does not allow, with the hint of the service", async () => {
    const id = await makeShop("Locked");
    await app.request("POST", `/api/estimations/${id}/submit`, { token: ada.token });
    const locked = await run(["choose", id, "PayPal"]);
    expect(locked).toMatchObject({
      code: 5,
      err: expect.stringMatching(/estimation_locked \(409\)[\s\S]*Reopen[\s\S]*http[\s\S]*Request /),
    });
  });

  test("a reader that goes away ends it quietly", async () => {
    const child = spawn("sh", ["-c", `"${process.execPath}" "${estimate}" api | head -1`], { env: HERE() });
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect([out.split("\n").length, err]).toEqual([2, ""]);
  });
});

test("the commands of docs/command-line.md install it and work as written", async () => {
  const page = await readFile(join(root, "docs/command-line.md"), "utf8");
  const blocks = [...page.matchAll(/^```bash\n([\s\S]*?)^```/gm)].map(([, block]) => block);
  const reader = await app.signUp();
  const prefix = await mkdtemp(join(tmpdir(), "estimation-cli-prefix-"));
  onTestFinished(() => rm(prefix, { recursive: true }));
  const env = {
    API: `${app.url}/api`,
    KEY: await app.makeKey(reader, SCOPES),
    HOME: prefix,
    npm_config_prefix: prefix,
    npm_config_offline: "true",
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_loglevel: "error",
    PATH: [join(prefix, "bin"), join(root, "node_modules/.bin"), process.env.PATH].join(delimiter),
  };
  const shell = runProgram(["bash"], { cwd: root, env });
  shell.write(`set -euo pipefail\n${blocks.join("\n")}\nexit\n`);
  expect([await shell.ended, shell.printed.err], shell.printed.out).toEqual([0, ""]);
  expect(shell.printed.out).toContain("Usage: estimate COMMAND");
  expect(shell.printed.out).toContain("Selected Which ways to pay? / Gift cards.");
  expect(await readdir(join(prefix, "lib/node_modules/estimation-service-cli"))).toEqual(
    expect.arrayContaining(["LICENSE", "README.md", "estimate.mjs", "package.json"]),
  );
});
