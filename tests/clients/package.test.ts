import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { installForFile, PACKAGE } from "./packed.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const installed = installForFile();

const GZIP_BYTES_MAX = 15_000;

const guide = () => readFile(join(root, "docs/clients/README.md"), "utf8");

/** The program of the guide: all its blocks, one after the other. */
const programOf = async (): Promise<string> =>
  [...(await guide()).matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, block = ""]) => block).join("\n");

describe("the packed client", () => {
  test("contains the client, the receiver, their types, and nothing of the service", async () => {
    const files = await readdir(installed.folder, { recursive: true, withFileTypes: true });
    const paths = files.filter((file) => file.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    const names = paths.map((path) => path.slice(installed.folder.length + 1));
    const modules = names.filter((name) => name.endsWith(".d.ts")).map((name) => name.slice(0, -".d.ts".length));
    expect(names.filter((name) => !name.startsWith("modules/")).sort()).toEqual([
      "LICENSE",
      "README.md",
      "package.json",
    ]);
    expect(names.filter((name) => name.startsWith("modules/")).sort()).toEqual(
      modules.flatMap((module) => [`${module}.d.ts`, `${module}.js`]).sort(),
    );
    const foreign =
      /^modules\/(?!clients\/typescript\/|receiver\/|contract\/client\/client-(bodies|responses|url)$)|test/;
    expect(modules.filter((module) => foreign.test(module))).toEqual([]);
  });

  test(`has less than ${GZIP_BYTES_MAX} bytes of code, compressed as a browser loads it, without a bundler`, async () => {
    const files = (await readdir(installed.folder, { recursive: true })).filter((name) => name.endsWith(".js"));
    const sizes = await Promise.all(
      files.map(async (name) => gzipSync(await readFile(join(installed.folder, name))).length),
    );
    expect(sizes.length).toBeGreaterThan(10);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(GZIP_BYTES_MAX);
  });

  test("has no dependencies, and the version of the service", async () => {
    const read = async (path: string) => JSON.parse(await readFile(join(path, "package.json"), "utf8"));
    const { name, version, license, ...manifest } = await read(installed.folder);
    const { version: ours, license: our } = await read(root);
    expect([name, version, license]).toEqual([PACKAGE, ours, our]);
    expect(Object.keys(manifest).filter((key) => /dependencies|scripts/i.test(key))).toEqual([]);
    const there = await readdir(join(installed.project.folder, "node_modules"));
    expect(there.filter((file) => !file.startsWith("."))).toEqual([PACKAGE]);
  });
});

const TYPES = ["--types", "node", "--typeRoots", join(root, "node_modules/@types")];
const PROCESS = "declare const process: { readonly env: Record<string, string | undefined> };\n";

describe.each([
  { kind: "for Node.js", words: ["--lib", "es2023", ...TYPES], before: "" },
  { kind: "for a browser", words: ["--lib", "es2023,dom", "--types", ""], before: PROCESS },
])("TypeScript checks the guide and all types of the package, $kind", ({ words, before }) => {
  test.each([
    ["bundler", "esnext"],
    ["nodenext", "nodenext"],
  ])("with %s", async (resolution, module) => {
    const { project } = installed;
    const compile = (file: string) =>
      project.run(
        process.execPath,
        ...[join(root, "node_modules/typescript/bin/tsc"), "--noEmit", "--strict", "--skipLibCheck", "false"],
        ...["--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--target", "es2023"],
        ...["--moduleResolution", resolution, "--module", module, ...words, file],
      );
    const program = before + (await programOf());
    await project.write("guide.ts", program);
    expect(await compile("guide.ts")).toBe("");
    for (const [right, wrong, complaint] of MISTAKES) {
      expect(program, right).toContain(right);
      await project.write("mistaken.ts", program.replace(right, wrong));
      await expect(compile("mistaken.ts"), wrong).rejects.toThrow(complaint);
    }
  });
});

const MISTAKES: readonly (readonly [right: string, wrong: string, complaint: RegExp])[] = [
  ["tree.data.hours.p80", "tree.data.hours.p81", /TS(2339|2551): Property 'p81' does not exist/],
  ['kind: "group"', 'kind: "gruop"', /TS2820: Type '"gruop"' is not assignable/],
  ["generateTasks({ params })", "generateTasks()", /TS2554: Expected 1 arguments/],
  ["error.details.revision", "error.details.version", /TS(2339|2551): Property 'version' does not exist/],
  ["estimation.hours.p80", "estimation.hour", /TS(2339|2551): Property 'hour' does not exist/],
  ["event.revision", "event.revisions", /TS(2339|2551): Property 'revisions' does not exist/],
];
