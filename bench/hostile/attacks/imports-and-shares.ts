import type { Attack, Stage } from "../attack.ts";

const USERS = 4;
const SHARES = 1_000;

/** Outlines of nearly 16 MiB as JSON, or of as many lines as are read, each of which takes long to read or to refuse. */
const line = (unit: string) => `- a${unit.repeat(Math.floor(9_900 / unit.length))}\n`;
const outlines = [
  line("\\:").repeat(1_100),
  // At most 90 faults, so that all lines are read.
  line("a: ").repeat(1_600) + `- a: x9(${line("\\a").slice(3)}`.repeat(90),
  "- a\n".repeat(990_000),
  `- a\n${"> x\n".repeat(990_000)}`,
  Array.from({ length: 5_600 }, (_, at) => `${" ".repeat(at)}- a`).join("\n"),
].map((content) => JSON.stringify({ format: "outline", content: `# x\n${content}` }));
/** JSON that is wrong in its last byte, or holds as many values as are read. */
const files = [
  `{"a":"${"\\u0041".repeat(2_350_000)}"`,
  JSON.stringify({ estimation: { title: "x" }, tree: { nodes: Array(200_000).fill({}) } }),
].map((content) => JSON.stringify({ format: "json", content }));
const bodies = [...outlines, ...files];

let tokens: string[] = [];
let path = "";

const signUpAll = async ({ signUp }: Stage) => {
  tokens = [];
  for (let n = 0; n < USERS; n += 1) tokens.push((await signUp()).token);
};

const WHAT = `${USERS} users who import files at the limits, each of which takes long to refuse`;

async function importAll(stage: Stage): Promise<void> {
  let at = 0;
  const send = (token: string) => {
    at += 1;
    return stage.send("POST", "/api/estimations/import", { token, body: bodies[at % bodies.length] });
  };
  await Promise.all(tokens.map((token) => stage.repeat(2, () => send(token))));
}

export const attacks: Readonly<Record<string, Attack>> = {
  imports: {
    what: `${WHAT}, without a limit of their requests`,
    memoryMiB: 2_048,
    // Not the limit of each user is measured: an attacker may have many users.
    env: { RATE_LIMIT_PER_MINUTE: "1000000" },
    prepare: signUpAll,
    run: importAll,
  },
  "limited-imports": {
    what: `${WHAT}, as often as the limits allow`,
    memoryMiB: 2_048,
    prepare: signUpAll,
    run: importAll,
  },
  shares: {
    what: `a user who lists, makes, resends and deletes shares of an estimation that has ${SHARES}, as often as the limits allow`,
    async prepare(stage) {
      await signUpAll(stage);
      const [token = ""] = tokens;
      const made = await stage.send("POST", "/api/estimations", { token, body: { title: "Shared" } });
      const { id, ownerId } = JSON.parse(made.text).data.estimation;
      path = `/api/estimations/${id}/shares`;
      await stage.pool.query(
        `insert into shares (id, estimation_id, email, permission, sharer_id, created_at, sent_at)
         select 'shr_' || lpad(n::text, 26, '0'), $1, 'reader-' || n || '@example.com', 'view', $2, now(), now()
         from generate_series(1, $3::int) as n`,
        [id, ownerId, SHARES - 10],
      );
    },
    async run(stage) {
      const [token = ""] = tokens;
      let at = 0;
      await stage.repeat(8, async () => {
        at += 1;
        const body = { email: `guest-${at % 20}@example.com`, permission: "edit" };
        const { text } = await stage.send("POST", path, { token, body });
        const share = JSON.parse(text || "{}").data?.share?.id;
        await stage.send("GET", `${path}?limit=100`, { token });
        if (share) await stage.send("POST", `${path}/${share}/resend`, { token });
        if (share) await stage.send("DELETE", `/api/shares/${share}`, { token });
        await stage.send("GET", "/api/shares/me", { token: tokens[1] ?? "" });
      });
    },
  },
};
