/** The reference for the service: `node:http` and `pg`, the same queries, and no more checks than they need. */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
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
       where holder_id = $1 and tag = '' and status = '${status}' and level = '${level}'
       order by updated_at desc, estimation_id desc limit 21)`,
  ),
);
const LIST = {
  name: "list",
  text: `select e.*, l.level from (
    select * from (${RANGES.join(" union all ")}) as ranges order by updated_at desc, estimation_id desc limit 21
  ) l join estimations e on e.id = l.estimation_id order by l.updated_at desc, l.estimation_id desc`,
};
const GET = {
  name: "get",
  text: `select e.*, r.level from estimations e join estimation_readers r on r.estimation_id = e.id and r.holder_id = $2
    where e.id = $1 and e.deleted_at is null`,
};
const LOCK = { name: "lock", text: `${GET.text} for no key update of e` };
const TREE = {
  name: "tree",
  text: `insert into decision_trees (estimation_id, tree, bytes) values ($1, $2, $3)
    on conflict (estimation_id) do update set tree = excluded.tree, bytes = excluded.bytes`,
};
const TOUCH = {
  name: "touch",
  text: `with texts as (update estimation_texts set updated_at = $2 where estimation_id = $1),
      listings as (update estimation_listings set updated_at = $2 where estimation_id = $1)
    update estimations set revision = revision + 1, updated_at = $2 where id = $1 returning revision`,
};

type Row = Record<string, unknown>;

const present = (row: Row) => ({
  id: row.id,
  ownerId: row.owner_id,
  title: row.title,
  description: row.description,
  assumptions: row.assumptions,
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
  viaTeam: null,
});

async function list(userId: unknown) {
  const { rows } = await pool.query({ ...LIST, values: [userId] });
  return { estimations: rows.slice(0, 20).map(present), nextCursor: rows[20]?.id ?? null };
}

async function get(userId: unknown, id: string) {
  const { rows } = await pool.query({ ...GET, values: [id, userId] });
  return { estimation: present(rows[0]) };
}

/** Stores a tree as it is: its hours are not computed. */
async function write(userId: unknown, id: string, request: IncomingMessage) {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const { nodes } = JSON.parse(Buffer.concat(parts).toString("utf8"));
  const tree = { nodes };
  const text = JSON.stringify(tree);
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query({ ...LOCK, values: [id, userId] });
    await client.query({ ...TREE, values: [id, text, Buffer.byteLength(text)] });
    await client.query({ ...TOUCH, values: [id, new Date()] });
    await client.query("commit");
  } finally {
    client.release();
  }
  return { tree };
}

async function respond(request: IncomingMessage, response: ServerResponse) {
  const token = request.headers.authorization?.slice("Bearer ".length) ?? "";
  const hash = createHash("sha256").update(token).digest();
  const { rows: keys } = await pool.query({ ...KEY, values: [hash] });
  const userId = keys[0]?.user_id;
  const [, , , id] = (request.url ?? "").split("/");
  const data =
    id === undefined
      ? await list(userId)
      : request.method === "PUT"
        ? await write(userId, id, request)
        : await get(userId, id);
  const body = JSON.stringify({ success: true, data });
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  response.end(body);
}

// The load ends in the middle of requests.
const server = createServer((request, response) => void respond(request, response).catch(() => response.destroy()));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.({ url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}` });
});
