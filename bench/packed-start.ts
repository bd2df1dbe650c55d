/**
 * How long a start of the archive of `npm run pack` takes, from the start of the process until `/healthz` responds, on a database
 * that exists; and the same from the sources here.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "../tests/support/free-port.ts";
import { benchDatabase, median } from "./database.ts";

const ROUNDS = 7;
const MOST_MS = 1_500;

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const database = await benchDatabase();
const place = await mkdtemp(join(tmpdir(), "estimation-packed-"));
const { host, port, user, password, database: name } = database.connection;
const key = (byte: number) => Buffer.alloc(32, byte).toString("base64url");
const settings = {
  PATH: process.env.PATH ?? "",
  DATABASE_URL: `postgresql://${user}:${password}@/${name}?host=${encodeURIComponent(String(host))}&port=${port}`,
  SESSION_SECRET: key(1),
  ENCRYPTION_KEY: key(2),
  DATA_DIR: join(place, "data"),
  LOG_LEVEL: "error",
};

/** Starts the service in a folder once; returns the milliseconds until it responded. */
async function start(cwd: string): Promise<number> {
  const env = { ...settings, PORT: String(await freePort()) };
  const began = performance.now();
  const child = spawn(process.execPath, ["--max-semi-space-size=8", "main.js", "serve"], { cwd, env, stdio: "ignore" });
  const responds = () =>
    fetch(`http://127.0.0.1:${env.PORT}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await responds())) {
    if (child.exitCode !== null) throw new Error("the service did not start");
    await wait(5);
  }
  const tookMs = performance.now() - began;
  child.kill("SIGTERM");
  await once(child, "close");
  return tookMs;
}

try {
  const packed = join(place, "app");
  execFileSync(process.execPath, ["scripts/pack.ts", "--without-postgres", "--into", packed], { cwd: ROOT });
  // Creates the tables.
  await start(ROOT);
  const times: Record<"packed" | "sources", number[]> = { packed: [], sources: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.packed.push(await start(packed));
    times.sources.push(await start(ROOT));
  }
  for (const [what, all] of Object.entries(times))
    console.log(`${what}: ${median(all).toFixed(0)} ms; rounds ${all.map((ms) => ms.toFixed(0)).join(" ")}`);
  console.log(`from the archive at most ${MOST_MS} ms wanted`);
  if (median(times.packed) > MOST_MS) process.exitCode = 1;
} finally {
  await database.stop();
  await rm(place, { recursive: true });
}
