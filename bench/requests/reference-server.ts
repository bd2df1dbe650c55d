/** The reference for the service: `node:http` and `pg`, the same two queries, and no more checks than they need. */
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import pg from "pg";

const pool = new pg.Pool({ ...JSON.parse(process.argv[2] ?? "{}"), max: 10 });

const KEY = {
  name: "key",
  text: `select k.id, k.user_id, k.scopes, k.expires_at, k.revoked_at from api_keys k join users u on u.id = k.user_id where k.hash = $1`,
};
/** The ranges of the index of listings, one for each status and level, merged in its order. */
const RANGES = ["draft", "submitted", "tasks_generated", "exported"].flatMap((status) =>
  ["owner", "editor", "viewer", "reviewer"].map(
    (level) => `(select estimation_id, level, updated_at from estimation_listings
       where user_id = $1 and tag = '' and status = '${status}' and level = '${level}'
       order by updated_at desc, estimation_id desc limit 21)`,
  ),
);
const LIST = {
  name: "list",
  text: `select e.*, l.level from (
    select * from (${RANGES.join(" union all ")}) as ranges order by updated_at desc, estimation_id desc limit 21
  ) l join estimations e on e.id = l.estimation_id order by l.updated_at desc, l.estimation_id desc`,
};

const server = createServer(async (request, response) => {
  const token = request.headers.authorization?.slice("Bearer ".length) ?? "";
  const hash = createHash("sha256").update(token).digest();
  const { rows: keys } = await pool.query({ ...KEY, values: [hash] });
  const { rows } = await pool.query({ ...LIST, values: [keys[0]?.user_id] });
  const estimations = rows.slice(0, 20).map((row) => ({
    id: row.id,
    ownerId: row.owner_id,
    title: row.title,
    description: row.description,
    clientName: row.client_name,
    tags: row.tags,
    hourlyRate: row.hourly_rate,
    currency: row.currency,
    correlation: row.correlation,
    rounding: row.rounding,
    status: row.status,
    revision: row.revision,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    reviewState: row.review_state,
    reviewStale: row.review_stale,
    hours: {
      expected: row.hours_expected,
      p50: row.hours_p50,
      p80: row.hours_p80,
      p90: row.hours_p90,
      p95: row.hours_p95,
    },
    access: row.level,
  }));
  const body = JSON.stringify({ success: true, data: { estimations, nextCursor: rows[20]?.id ?? null } });
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.({ url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}` });
});
