import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { findEmbeddedPostgres } from "../../server/db/embedded.ts";
import { until } from "../faults/until.ts";
import { startReceiver } from "../support/receiver.ts";
import type { MemoryLimit } from "./memory-limit.ts";
import { SETTINGS, type Stage } from "./stage.ts";

const entry = fileURLToPath(new URL("../../main.js", import.meta.url));

/** The whole service in one process with its own PostgreSQL, within a limit of memory and with these settings. */
export async function setSmallStage({ wrap }: MemoryLimit, settings: Record<string, string>): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), "estimation-small-"));
  // PostgreSQL runs as another user.
  await chmod(folder, 0o755);
  const dataDir = join(folder, "data");
  await mkdir(dataDir);
  const receiver = await startReceiver((_, response) => {
    receiver.requests.length = 0;
    response.end();
  });
  receiver.trustedBy(dataDir);
  const env = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", PORT: "0", DATA_DIR: dataDir, ...SETTINGS, ...settings };
  const [program = "", ...words] = [...wrap, process.execPath, "--max-semi-space-size=8", entry, "serve"];
  const child = spawn(program, words, { cwd: "/", env });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString("utf8");
    });
  const gone = once(child, "close");
  const url = () => /API +(\S+)\/api\n/.exec(output)?.[1];
  await until("the service responds", () => {
    if (child.exitCode !== null) throw new Error(`the service did not start:\n${output}`);
    return url() !== undefined;
  });
  const pool = new pg.Pool({ ...(await findEmbeddedPostgres(dataDir)), max: 2 });
  pool.on("error", () => {});
  return {
    urls: [url() ?? ""],
    pool,
    receiver,
    ended: () => (child.exitCode !== null || child.signalCode !== null ? 1 : 0),
    async close() {
      await pool.end();
      child.kill("SIGTERM");
      await gone;
      await receiver.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
