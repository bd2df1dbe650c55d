import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { start } from "../../harness.ts";
import { runProgram } from "../../support/program.ts";

const app = await start();
const page = readFileSync(new URL("../../../docs/records.md", import.meta.url), "utf8");
const blocks = [...page.matchAll(/```bash\n([\s\S]+?)\n```/g)].map(([, text = ""]) => text);

test("the commands of docs/records.md work in a shell as described", async () => {
  const user = await app.signUp();
  const token = await app.makeKey(user, ["estimations:read", "estimations:write"]);
  const { data } = await app.request("POST", "/api/estimations", { token, body: { title: "Shop" } });
  const variables = `API=${app.url}/api; KEY=${token}; ESTIMATION=${data.estimation?.id}`;
  const shell = runProgram(["bash"]);
  const [readTag = "", change = "", ...others] = blocks;
  // The page says what happens when the change is sent again.
  const all = [variables, readTag, change, change, ...others];
  shell.write(`${all.join("\nprintf '\\n=====\\n'\n")}\nexit\n`);
  expect([await shell.ended, shell.printed.err]).toEqual([0, ""]);
  const [, tag, changed, again, known, sentBack] = shell.printed.out.split("=====\n");
  expect(tag?.trim()).toBe('"1"');
  expect(changed).toMatch(/^HTTP\/1.1 200 [\s\S]*"title":"Checkout"/);
  expect(again).toMatch(/^HTTP\/1.1 412 [\s\S]*"revision":2/);
  expect(known).toMatch(/^HTTP\/1.1 304 /);
  expect(JSON.parse(sentBack ?? "").data.estimation).toMatchObject({ title: "Checkout, again", revision: 3 });
});
