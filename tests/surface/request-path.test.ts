import { readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { expect, test } from "vitest";
import { start } from "../harness.ts";

const MOST = 20;

// With everything that a request can pass.
const app = await start({ config: { metricsToken: "0123456789abcdef" } });
const { token } = await app.signUp();
const { data } = await app.request("POST", "/api/estimations", { token, body: { title: "Shop" } });
const read = () => app.request("GET", `/api/estimations/${data.estimation?.id}`, { token });

/** Returns the source files of the service in which `work` calls a function. */
async function filesOf(work: () => Promise<unknown>): Promise<string[]> {
  const root = new URL("../../", import.meta.url).href;
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await session.post("Profiler.takePreciseCoverage");
  await work();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  return result
    .filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)))
    .map(({ url }) => url.replace(root, ""))
    .filter((file) => /^(contract|domain|server)\//.test(file));
}

test("the files that serve GET /api/estimations/:id are few, and the list in ARCHITECTURE.md names them", async () => {
  // What is built at its first use is not part of the path, nor what else the process does: that is in some of the runs only.
  for (let time = 0; time < 3; time += 1) await read();
  let files = await filesOf(read);
  for (let time = 0; time < 9; time += 1) {
    const others = new Set(await filesOf(read));
    files = files.filter((file) => others.has(file));
  }
  expect(files.length).toBeLessThanOrEqual(MOST);
  const section = /## The files of a request\n(.*?)\n## /s.exec(readFileSync("ARCHITECTURE.md", "utf8"))?.[1] ?? "";
  const listed = [...section.matchAll(/\]\(([^)]+\.ts)\)/g)].map(([, file]) => file);
  expect(listed.toSorted()).toEqual(files.toSorted());
});
