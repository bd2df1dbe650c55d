import { cp, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { preparePages } from "../../server/pages/index.ts";
import { request } from "../harness.ts";
import { giveTo, makePlace, ordinaryUser } from "../support/embedded/places.ts";
import { freePort } from "../support/free-port.ts";
import { makeReadOnly, mebibytesOf, ROOT, run, serve } from "./install.ts";

/** `overrides` has cosmiconfig 8.2, which graphile-worker uses: since 8.3 npm installs TypeScript for it, with 30 MiB. */
const MEBIBYTES = 230;

test("npm ci --omit=dev takes at most 230 MiB, and the built service runs from it, its pages included", async () => {
  const place = await makePlace(ordinaryUser);
  const [app, data] = [join(place, "app"), join(place, "data")];
  await mkdir(app);
  await mkdir(data);
  await giveTo(ordinaryUser, data);
  await preparePages();
  const { stdout } = await run("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: ROOT });
  for (const file of stdout.trim().split("\n")) await cp(join(ROOT, file), join(app, file)).catch(() => {});
  await cp(join(ROOT, "dist"), join(app, "dist"), { recursive: true });
  await run("npm", ["ci", "--omit=dev", "--prefer-offline", "--no-audit", "--no-fund"], { cwd: app });
  expect(await mebibytesOf(join(app, "node_modules"))).toBeLessThanOrEqual(MEBIBYTES);
  await makeReadOnly(app);
  const command = ["node", "main.js", "serve"];
  const where = { cwd: app, env: { DATA_DIR: data }, user: ordinaryUser };
  const service = await serve(command, { ...where, port: await freePort() });
  expect((await request(service.url, "GET", "/", { headers: { accept: "text/html" } })).status).toBe(200);
  expect(await service.stop()).toBe(0);

  // Without a build it says what to do, and serves the API.
  await rm(join(app, "dist"), { recursive: true });
  const bare = await serve(command, { ...where, port: await freePort() });
  expect(bare.output()).toContain("run npm ci and npm run build, then npm ci --omit=dev");
  expect((await request(bare.url, "GET", "/readyz")).status).toBe(200);
  await bare.stop();
});
