import { expect } from "vitest";
import type { Response, TestApp, TestUser } from "../../../../tests/harness.ts";
import { createQuotas } from "../../../http/quotas.ts";
import { accountTexts } from "../usage-store.ts";

/** An estimation, and what a test writes in it. Paths are below it. */
export interface TextScene {
  readonly id: string;
  readonly owner: TestUser;
  send(method: string, below: string, body?: object): Promise<Response>;
  /** Writes a message in Main. */
  say(body: string): Promise<Response>;
  comment(review: string, body: string): Promise<Response>;
  /** Asks a new user for a review, and returns its path, and how the reviewer decides. */
  review(note?: string): Promise<{
    readonly path: string;
    readonly reviewerId: string;
    decide(verdict: "approve" | "request-changes", comment: string): Promise<Response>;
  }>;
  /** Generates the tasks and returns the path of one. */
  task(): Promise<string>;
  /** Lets a user edit. */
  share(editor: TestUser): Promise<void>;
  transferTo(editor: TestUser): Promise<Response>;
  /** Bytes of the estimation, as they are counted. */
  bytes(): Promise<number>;
  /** Steps of the owner, as they are counted. */
  steps(): Promise<number>;
  /** Adds a message, however long, so that the texts of the estimation take this many bytes. */
  fillTo(bytes: number): Promise<void>;
}

const options = [1, 2, 3].map((n) => ({ title: `Option ${n}`, description: "𝄞".repeat(100 * n), hours: n }));
const tree = { nodes: [{ title: "Payment", kind: "group", options }] };

/** Creates an estimation with a tree, of `user` or of a new one. */
export async function setTexts(app: TestApp, user?: TestUser): Promise<TextScene> {
  const owner = user ?? (await app.signUp());
  const { token } = owner;
  const { data } = await app.request("POST", "/api/estimations", { token, body: { title: "Shop" } });
  const id = String(data.estimation?.id);
  const path = `/api/estimations/${id}`;
  const send: TextScene["send"] = (method, below, body) => app.request(method, path + below, { token, body });
  const main = `thr_${id.slice("est_".length)}`;
  const count = async (query: string, key: string) => Number((await app.pool.query(query, [key])).rows[0]?.n ?? 0);
  const bytes = () => count("select bytes as n from text_usage where estimation_id = $1", id);
  expect((await send("PUT", "/tree", tree)).status).toBe(200);
  return {
    id,
    owner,
    send,
    bytes,
    say: (body) => send("POST", `/threads/${main}/messages`, { body }),
    comment: (review, body) => send("POST", `${review}/comments`, { body }),
    async review(note) {
      const reviewer = await app.signUp();
      const { data, status } = await send("POST", "/reviews", {
        reviewerId: reviewer.userId,
        ...(note ? { note } : {}),
      });
      expect(status).toBe(201);
      const below = `/reviews/${data.review?.id}`;
      return {
        path: below,
        reviewerId: reviewer.userId,
        decide: (verdict, comment) =>
          app.request("POST", `${path}${below}/${verdict}`, { token: reviewer.token, body: { comment } }),
      };
    },
    async task() {
      const { data } = await send("POST", "/tasks/generate");
      return `/tasks/${data.tasks?.[1]?.id}`;
    },
    async share(editor) {
      const { data } = await send("POST", "/shares", { email: editor.email, permission: "edit" });
      const { status } = await app.request("POST", `/api/shares/${data.share?.id}/accept`, { token: editor.token });
      expect(status).toBe(200);
    },
    transferTo: ({ userId }) => send("POST", "/transfer", { userId }),
    steps: () => count("select text_steps as n from estimation_usage where owner_id = $1", owner.userId),
    async fillTo(most) {
      const left = most - (await bytes());
      expect(left).toBeGreaterThan(0);
      await app.pool.query(
        `insert into thread_messages (id, estimation_id, thread_id, author_id, body, created_at)
         values ('msg_' || left(md5(random()::text), 26), $1, $2, $3, repeat('x', $4), now())`,
        [id, main, owner.userId, left],
      );
      const estimation = { id, ownerId: owner.userId, access: "owner" } as const;
      const unbounded = createQuotas({ ...app.services.config.quotas, textBytes: Number.POSITIVE_INFINITY });
      await accountTexts(app.services.pool, unbounded, estimation, left);
      expect(await bytes()).toBe(most);
    },
  };
}

/** What texts take, read from every table that has some. */
const RECOUNT = `
  select estimation_id as id, octet_length(body) as bytes from thread_messages
  union all select r.estimation_id, octet_length(c.body) from review_comments c join reviews r on r.id = c.review_id
  union all select estimation_id, octet_length(note) from reviews
  union all select estimation_id, bytes from client_links
  union all select estimation_id, octet_length(concat(name, email, note)) from client_answers
  union all select estimation_id, octet_length(label) from versions
  union all select estimation_id, octet_length(concat(title, description, role, base_title, base_description, base_role))
    from tasks`;

/** Expects that what is counted of all estimations and owners equals a recount. */
export async function countTexts({ pool }: Pick<TestApp, "pool">): Promise<void> {
  const wrongEstimations = await pool.query(
    `select e.id, coalesce(u.bytes, 0)::int as counted, coalesce(sum(t.bytes), 0)::int as stored
     from estimations e left join text_usage u on u.estimation_id = e.id left join (${RECOUNT}) t on t.id = e.id
     group by e.id, u.bytes having coalesce(u.bytes, 0) <> coalesce(sum(t.bytes), 0)`,
  );
  expect(wrongEstimations.rows).toEqual([]);
  const wrongOwners = await pool.query(
    `select o.owner_id, o.text_steps::int as counted, coalesce(sum(s.steps), 0)::int as stored
     from estimation_usage o left join (
       select e.owner_id, e.id, floor(sum(t.bytes) / 65536) as steps
       from estimations e join (${RECOUNT}) t on t.id = e.id group by e.id
     ) s on s.owner_id = o.owner_id
     group by o.owner_id, o.text_steps having o.text_steps <> coalesce(sum(s.steps), 0)`,
  );
  expect(wrongOwners.rows).toEqual([]);
}
