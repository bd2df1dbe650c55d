import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeSecret, signatureHeaders, signingKeys } from "../server/platform/webhook-signature.ts";
import { REASONS } from "./error.ts";
import { exampleDeliveries } from "./testing/deliveries.ts";
import { checkModule, type EmptyProject, installPacked, run } from "./testing/empty-project.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const SUMMARY = `${exampleDeliveries().length} deliveries verified\n`;

/** TypeScript with no types but the package's own, and the way of finding modules with what it goes with. */
const COMPILER = [
  join(root, "node_modules/typescript/bin/tsc"),
  ..."--noEmit --strict --target es2022 --lib es2022".split(" "),
];
const RESOLUTIONS = [
  ["bundler", "esnext"],
  ["nodenext", "nodenext"],
] as const;

let project: EmptyProject;

beforeAll(async () => {
  project = await installPacked();
  await project.write("check.js", checkModule(exampleDeliveries()));
  await project.write("main.js", 'import { check } from "./check.js";\nconsole.log(await check());');
});
afterAll(() => project.remove());

describe("the packed package", () => {
  test("is small and contains what a receiver needs, and nothing of the service", async () => {
    const files = await readdir(join(project.folder, "node_modules/estimation-service"), { recursive: true });
    const modules = files.filter((file) => file.endsWith(".js")).map((file) => file.slice(0, -".js".length));
    const expected = ["LICENSE", "README.md", "package.json", "webhooks"];
    expect(files.toSorted()).toEqual(
      [...expected, ...modules.flatMap((module) => [`${module}.js`, `${module}.d.ts`])].toSorted(),
    );
    expect(modules).not.toContainEqual(expect.stringMatching(/test/));
    expect((await stat(project.tarball)).size).toBeLessThan(20_000);
  });

  test("comes with a guide that lists every reason of a refusal", async () => {
    for (const code of Object.keys(REASONS)) expect(await guide()).toContain(`\`${code}\``);
  });

  test("has no dependencies", async () => {
    const installed = await readdir(join(project.folder, "node_modules"));
    expect(installed.filter((name) => !name.startsWith("."))).toEqual(["estimation-service"]);
  });

  test("has the version of the service", async () => {
    const read = async (folder: string) => JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const { name, version, license } = await read(root);
    const installed = join(project.folder, "node_modules/estimation-service");
    expect(await read(installed)).toMatchObject({ name, version, license });
  });
});

test("the repository imports the module by its name, with nothing built", async () => {
  const program = 'import { verify } from "estimation-service/webhooks"; console.log(typeof verify);';
  expect(await run(root, process.execPath, "--input-type=module", "--eval", program)).toBe("function\n");
});

describe("in an empty project", () => {
  test("a plain script verifies deliveries and refuses forged and late ones", async () => {
    expect(await project.run(process.execPath, "main.js")).toBe(SUMMARY);
  });

  test("CommonJS can require it", async () => {
    await project.write("main.cjs", 'console.log(Object.keys(require("estimation-service/webhooks")).sort().join());');
    expect(await project.run(process.execPath, "main.cjs")).toBe("WebhookVerificationError,sign,verify\n");
  });

  test("it runs with only the Web's own globals", async () => {
    await project.write("realm.js", REALM);
    expect(await project.run(process.execPath, "--experimental-vm-modules", "--no-warnings", "realm.js")).toBe(SUMMARY);
  });

  test.each(RESOLUTIONS)("TypeScript checks it with %s, and narrows by the event", async (resolution, module) => {
    const [typed = ""] = guideBlocks(await guide(), "ts");
    await project.write("typed.ts", typed);
    await project.write("mistaken.ts", typed.replaceAll("taskCount", "ownerName"));
    const words = [...COMPILER, "--moduleResolution", resolution, "--module", module];
    const check = (file: string) => project.run(process.execPath, ...words, file);
    expect(await check("typed.ts")).toBe("");
    await expect(check("mistaken.ts")).rejects.toThrow(/TS2339: Property 'ownerName' does not exist/);
  });

  test("the server of the guide returns 204 for a delivery and 400 for a forged one", async () => {
    const { secret, headers } = signNow('{"a":1}');
    const [program = ""] = guideBlocks(await guide(), "js");
    const listening = program.replace("process.env.PORT ?? 8080", "0, announce");
    await project.write("server.js", `function announce() { console.log(this.address().port); }\n${listening}`);
    const server = spawn(process.execPath, ["server.js"], { cwd: project.folder, env: { WEBHOOK_SECRET: secret } });
    try {
      const [port] = await once(server.stdout, "data");
      const post = async (body: string) =>
        (await fetch(`http://127.0.0.1:${Number(port)}`, { method: "POST", headers, body })).status;
      expect([await post('{"a":1}'), await post('{"a":2}')]).toEqual([204, 400]);
    } finally {
      server.kill();
    }
  });

  test("so does its handler for Deno, Bun and Cloudflare Workers", async () => {
    const { secret, headers } = signNow('{"a":1}');
    const handler = guideBlocks(await guide(), "js")[1]?.split("\nDeno.serve")[0] ?? "";
    const post = (body: string) =>
      `new Request("https://x", { method: "POST", headers: ${JSON.stringify(headers)}, body: '${body}' })`;
    const responses = ['{"a":1}', '{"a":2}'].map((body) => `(await receive(${post(body)}, "${secret}")).status`);
    await project.write("handler.js", `${handler}\nconsole.log([${responses}].join());`);
    expect(await project.run(process.execPath, "handler.js")).toBe("wd_1 unknown\n204,400\n");
  });

  test("the guide's test of a receiver calls that handler as the service does", async () => {
    const blocks = guideBlocks(await guide(), "js");
    const handler = blocks[1]?.split("\nDeno.serve")[0] ?? "";
    const tested = blocks.find((block) => block.includes("import { sign }")) ?? "";
    await project.write("tested.js", `${handler}\n${tested}\nconsole.log(response.status);`);
    expect(await project.run(process.execPath, "tested.js")).toMatch(/^wd_\w{26} estimation\.tasks_generated\n204\n$/);
  });
});

const guide = () => readFile(join(root, "docs/webhooks.md"), "utf8");

/** The blocks of code in a language. */
const guideBlocks = (text: string, language: string): string[] =>
  text
    .split(`\`\`\`${language}\n`)
    .slice(1)
    .map((rest) => rest.split("```")[0] ?? "");

/** A delivery signed just now. */
function signNow(body: string) {
  const secret = makeSecret();
  const signed = signatureHeaders({ deliveryId: "wd_1", at: new Date(), body, keys: [signingKeys(secret)] });
  return { secret, headers: { ...signed, "X-Service-Event": "webhook.unheard_of", "X-Service-Delivery": "wd_1" } };
}

/** Links the installed modules in a realm of their own, which has no `process`, no `Buffer` and no `require`. */
const REALM = `
import { readFile } from "node:fs/promises";
import { createContext, SourceTextModule } from "node:vm";

const context = createContext({ crypto, TextEncoder, TextDecoder, atob, btoa, Headers });
const modules = new Map();
// The promise is kept, so that two modules that import the same one at the same time get one and the same.
function load(url) {
  const read = async () => new SourceTextModule(await readFile(new URL(url), "utf8"), { context, identifier: url });
  if (!modules.has(url)) modules.set(url, read());
  return modules.get(url);
}
const entry = new SourceTextModule('export { check } from "./check.js";', { context, identifier: import.meta.url });
await entry.link((specifier, { identifier }) =>
  load(specifier.startsWith(".") ? new URL(specifier, identifier).href : import.meta.resolve(specifier)),
);
await entry.evaluate();
console.log(await entry.namespace.check());
`;
