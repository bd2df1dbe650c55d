import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loadConfig } from "../../server/config.ts";

const textOf = (path: string) => readFileSync(path, "utf8");
const known = new Set<string>();
loadConfig(new Proxy({}, { get: (_, name) => void known.add(String(name)) }));

test("what compose.yaml, the image and the units set are settings", () => {
  const service = /environment: &settings\n((?: {4}\w+: .*\n)+)/.exec(textOf("compose.yaml"))?.[1] ?? "";
  const compose = [...service.matchAll(/^ {4}(\w+):/gm)].map(([, name = ""]) => name);
  expect(compose).toContain("BASE_URL");
  const image = [...(/^ENV (.*)$/m.exec(textOf("Dockerfile"))?.[1] ?? "").matchAll(/(\w+)=/g)].map(
    ([, name = ""]) => name,
  );
  const units = ["service", "worker"].flatMap((name) =>
    [...textOf(`deploy/estimation-${name}.service`).matchAll(/^Environment=(\w+)=/gm)].map(
      ([, setting = ""]) => setting,
    ),
  );
  // Of Node.js.
  const unknown = [...compose, ...image, ...units].filter((name) => !known.has(name) && name !== "NODE_ENV");
  expect(unknown).toEqual([]);
});

test("every variable that compose.yaml asks for is in the operations page", () => {
  const asked = [...textOf("compose.yaml").matchAll(/\$\{(\w+):\?/g)].map(([, name = ""]) => name);
  const page = textOf("docs/operations.md");
  expect([...new Set(asked)].filter((name) => !new RegExp(`^${name}=`, "m").test(page))).toEqual([]);
});

test("the image runs as a user without rights, and compose.yaml with a read-only root", () => {
  expect(textOf("Dockerfile")).toMatch(/\nUSER node\n[\s\S]*\nHEALTHCHECK /);
  expect(textOf("compose.yaml")).toMatch(/read_only: true[\s\S]*cap_drop: \[ALL\]/);
});
