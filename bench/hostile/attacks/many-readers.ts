import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { drizzleOver } from "../../../server/db/database.ts";
import { relist } from "../../../server/features/estimations/listing-store.ts";
import { createSealing } from "../../../server/platform/sealing.ts";
import type { Attack } from "../attack.ts";

/** More than an estimation can have: as if each reader had twenty webhooks. */
const READERS = 20_000;
/** Nothing listens there: every attempt fails at once. */
const NOWHERE = "https://127.0.0.1:9/";
const EVERY_MS = 4_000;

let token = "";
let path = "";
let service = "";

const numbered = (prefix: string, n: number) => `${prefix}_${String(n).padStart(26, "0")}`;

export const attack: Attack = {
  what: `events of an estimation with ${READERS} readers, each with a webhook, every ${EVERY_MS / 1_000} s`,
  memoryMiB: 2_048,
  seconds: 20,
  async prepare(stage) {
    service = stage.url;
    const { send, pool, dataDir } = stage;
    ({ token } = await stage.signUp());
    const made = await send("POST", "/api/estimations", { token, body: { title: "Read by many" } });
    const { id } = JSON.parse(made.text).data.estimation;
    path = `/api/estimations/${id}`;
    const sealing = createSealing(
      Buffer.from((await readFile(join(dataDir, "encryption-key"), "utf8")).trim(), "base64url"),
    );
    const all = Array.from({ length: READERS }, (_, n) => n + 1);
    const [users, webhooks] = [all.map((n) => numbered("usr", n)), all.map((n) => numbered("whk", n))];
    await pool.query(
      `insert into users (id, email, name, token_version, email_verified_at, created_at)
       select id, id || '@example.com', 'Reader', 0, now(), now() from unnest($1::text[]) as id`,
      [users],
    );
    await pool.query(
      "insert into estimation_readers (estimation_id, user_id, shared) select $1, id, 'viewer' from unnest($2::text[]) as id",
      [id, users],
    );
    await pool.query(
      `insert into webhooks (id, user_id, url, events, description, active, body_format, secret, created_at, updated_at)
       select id, user_id, $1, array['estimation.tasks_generated'], '', true, 'standard', secret, now(), now()
       from unnest($2::text[], $3::text[], $4::bytea[]) as made (id, user_id, secret)`,
      [
        NOWHERE,
        webhooks,
        users,
        webhooks.map((webhook) => sealing.seal(`whsec_${Buffer.alloc(24).toString("base64")}`, webhook)),
      ],
    );
    await relist(drizzleOver(pool), id);
    await pool.query("vacuum analyze");
  },
  async run(stage) {
    while (!stage.signal.aborted) {
      const began = performance.now();
      const { status } = await stage.send("POST", `${path}/tasks/generate`, { token });
      const tookMs = performance.now() - began;
      if (stage.url === service) console.log(`  an event answered ${status} after ${tookMs.toFixed(0)} ms`);
      await wait(EVERY_MS, undefined, { signal: stage.signal }).catch(() => {});
    }
  },
};
