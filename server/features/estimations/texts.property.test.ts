import fc from "fast-check";
import { expect, test } from "vitest";
import { start } from "../../../tests/harness.ts";
import { purgeEstimations } from "../../services/purge-estimations.ts";
import { removeDeleted } from "./removal-store.ts";
import { countTexts, setTexts, type TextScene } from "./testing/texts.ts";
import { STEP_BYTES } from "./usage-store.ts";

const app = await start({ config: { invitationsPerHour: 1_000 } });

const ESTIMATIONS = 3;
const kinds = [
  ...(["message", "thread", "remove thread", "comment", "reply", "edit comment", "delete comment", "verdict"] as const),
  ...(["note", "label", "tree", "generate", "edit task", "delete task", "copy", "import"] as const),
  ...(["delete", "restore", "purge", "transfer"] as const),
];
/** `size` is a length; the longest texts take several to a step in which owners are accounted. */
const step = fc.record({
  kind: fc.constantFrom(...kinds),
  on: fc.nat(ESTIMATIONS - 1),
  size: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 900, max: 1_000 })),
  at: fc.nat(9),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Several requests at the same time, again and again. */
const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 8, maxLength: 16 });

/** Estimations of two owners, each with a record of every kind, that soon begin the next step and have one to move. */
async function setScenes(): Promise<readonly TextScene[]> {
  const owners = [await app.signUp(), await app.signUp()] as const;
  const scenes: TextScene[] = [];
  for (let n = 0; n < ESTIMATIONS; n += 1) {
    const [owner, editor] = n === 0 ? owners : [owners[1], owners[0]];
    const scene = await setTexts(app, owner);
    await scene.share(editor);
    await scene.comment((await scene.review("A note")).path, "A comment");
    await scene.task();
    await carryOut({ kind: "thread", on: n, size: 1, at: 0 }, [...scenes, scene]);
    await scene.fillTo(2 * STEP_BYTES - 20_000);
    scenes.push(scene);
  }
  return scenes;
}

test.each(kinds)("the counted size of texts is exact after one request: %s", async (kind) => {
  const scenes = await setScenes();
  const one = { on: 1, size: 900, at: 1 };
  if (kind === "restore") await carryOut({ ...one, kind: "delete" }, scenes);
  expect(await carryOut({ ...one, kind }, scenes)).toBeOneOf([200, 201]);
  await countTexts(app);
});

test("the counted size of texts is exact after any requests, some at the same time", async () => {
  await fc.assert(
    fc.asyncProperty(rounds, async (all) => {
      const scenes = await setScenes();
      for (const round of all) {
        const statuses = await Promise.all(round.map((one) => carryOut(one, scenes)));
        for (const status of statuses) expect(status).toBeLessThan(500);
        await countTexts(app);
      }
    }),
    { numRuns: 6 },
  );
});

async function carryOut({ kind, on, size, at }: Step, scenes: readonly TextScene[]): Promise<number> {
  const scene = scenes[on] ?? expect.fail("no such estimation");
  const { ask, pick, id } = readerOf(scene);
  const text = "𝄞".repeat(size);
  const review = await pick("/reviews", "reviews", at);
  const comments = `/reviews/${review}/comments`;
  switch (kind) {
    case "message":
      return scene.say(text.repeat(4)).then(({ status }) => status);
    case "thread":
      return ask("POST", "/threads", { title: "Other", baseVersionId: await pick("/versions", "versions", at) });
    case "remove thread": {
      const thread = await pick("/threads", "threads", at);
      await ask("POST", `/threads/${thread}/messages`, { body: text.repeat(4) });
      return ask("DELETE", `/threads/${thread}`);
    }
    case "comment":
      return ask("POST", comments, { body: text.repeat(8) });
    case "reply":
      return ask("POST", comments, { body: text, parentId: await pick(comments, "comments", at) });
    case "edit comment":
      return ask("PATCH", `${comments}/${await pick(comments, "comments", at)}`, { body: text.repeat(8) });
    case "delete comment":
      return ask("DELETE", `${comments}/${await pick(comments, "comments", at)}`);
    case "verdict": {
      const { decide } = await scene.review().catch(() => ({ decide: null }));
      return decide === null ? 409 : (await decide(at < 5 ? "approve" : "request-changes", text)).status;
    }
    case "note":
      return ask("POST", "/reviews", { reviewerId: await reviewerOf(id), note: text });
    case "label":
      await ask("PUT", "", { title: `Shop ${size} ${at}` });
      return ask("POST", "/versions", { label: text.slice(0, 400) });
    case "tree": {
      const options = Array.from({ length: at }, (_, n) => ({ title: `o${n}`, description: text, hours: 1 }));
      return ask("PUT", "/tree", { nodes: [{ title: "n", kind: "group", options }] });
    }
    case "generate":
      return ask("POST", "/tasks/generate");
    case "edit task":
      return ask("PUT", `/tasks/${await pick("/tasks", "tasks", at)}`, { description: text.repeat(8), role: "dev" });
    case "delete task":
      return ask("DELETE", `/tasks/${await pick("/tasks", "tasks", at)}`);
    case "copy":
      return ask("POST", "/duplicate");
    case "import": {
      const { token } = scene.owner;
      const body = { format: "outline", content: `# Imported\n\n- ${"x".repeat(Math.min(size, 200))}: 3\n` };
      return (await app.request("POST", "/api/estimations/import", { token, body })).status;
    }
    case "delete":
      return ask("DELETE", "");
    case "restore":
      return ask("POST", "/restore-deleted");
    case "purge": {
      // Only a part of the time, and in small batches: most deleted estimations are restored instead.
      if (at > 2) return 200;
      const removal = removeDeleted(app.services.pool, new Date(app.clock.now().getTime() + 1), purgeEstimations);
      for (let more = true; more; ) more = await removal(1 + at);
      return 200;
    }
    case "transfer":
      return ask("POST", "/transfer", { userId: await editorOf(id) });
  }
}

/** Requests by the user who owns an estimation by then. */
function readerOf({ id, send, owner }: TextScene) {
  const asOwner = async (method: string, below: string, body?: object) => {
    const token = tokens.get(await ownerOf(id)) ?? owner.token;
    return app.request(method, `/api/estimations/${id}${below}`, { token, body });
  };
  tokens.set(owner.userId, owner.token);
  return {
    id,
    send,
    ask: async (...request: Parameters<typeof asOwner>) => (await asOwner(...request)).status,
    /** The id of one of the rows of a list. */
    async pick(below: string, name: "reviews" | "comments" | "tasks" | "threads" | "versions", at: number) {
      const rows = (await asOwner("GET", below)).data[name];
      return String(rows?.[at % Math.max(Number(rows?.length), 1)]?.id ?? "none");
    },
  };
}

const tokens = new Map<string, string>();
const one = async (query: string, id: string): Promise<string> => (await app.pool.query(query, [id])).rows[0]?.id ?? "";
const ownerOf = (id: string) => one("select owner_id as id from estimations where id = $1", id);
const editorOf = (id: string) =>
  one("select user_id as id from estimation_readers where estimation_id = $1 and shared = 'editor'", id);
const reviewerOf = async (id: string) =>
  (await one("select reviewer_id as id from reviews where estimation_id = $1 and status <> 'withdrawn'", id)) ||
  (await app.signUp()).userId;
