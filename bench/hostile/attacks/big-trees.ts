import { bigTree } from "../../big-tree.ts";
import type { Attack, Stage } from "../attack.ts";

const CLIENTS = 4;

/** Each client is a user of its own, with an estimation whose tree is at the limits. */
interface Client {
  readonly token: string;
  readonly path: string;
}

/** Has no ids, so that any estimation may have it. */
const text = JSON.stringify(
  bigTree((made) => made % 3 !== 0),
  (name, value) => (name === "id" ? undefined : value),
);

async function makeClient({ signUp, send }: Stage): Promise<Client> {
  const { token } = await signUp();
  const made = await send("POST", "/api/estimations", { token, body: { title: "Large" } });
  const path = `/api/estimations/${JSON.parse(made.text).data.estimation.id}`;
  const put = await send("PUT", `${path}/tree`, { token, body: text });
  if (put.status !== 200) throw new Error(`the tree was refused: ${put.status} ${put.text.slice(0, 200)}`);
  return { token, path };
}

function onBigTrees(what: string, work: (stage: Stage, client: Client) => Promise<unknown>): Attack {
  let clients: Client[] = [];
  return {
    what: `${what}, by four clients one after the other, 2,000 nodes and 10,000 options each`,
    // Not the limit of each user is measured: an attacker may have many users.
    env: { RATE_LIMIT_PER_MINUTE: "1000000" },
    async prepare(stage) {
      clients = [];
      for (let n = 0; n < CLIENTS; n += 1) clients.push(await makeClient(stage));
    },
    async run(stage) {
      await Promise.all(clients.map((client) => stage.repeat(1, () => work(stage, client))));
    },
  };
}

/** 20,000 links in few bytes: 1,000 options that exclude twenty others each. */
const linked = JSON.stringify({
  nodes: Array.from({ length: 5 }, (_, node) => ({
    title: `Part ${node}`,
    kind: "multi",
    options: Array.from({ length: 200 }, (__, option) => ({
      title: "Way",
      ref: `${node}-${option}`,
      excludes: Array.from({ length: 20 }, (___, link) => `${node}-${(option + link + 1) % 200}`),
    })),
  })),
});

const asks =
  (method: string, rest: string) =>
  ({ send }: Stage, { token, path }: Client) =>
    send(method, path + rest, { token });

export const attacks: Readonly<Record<string, Attack>> = {
  "big-put": onBigTrees("PUT tree", ({ send }, { token, path }) => send("PUT", `${path}/tree`, { token, body: text })),
  "many-links": onBigTrees("PUT of 20,000 links in another tree", async ({ send }, { token, path }) => {
    const { status, text: response } = await send("PUT", `${path}/tree`, { token, body: linked });
    if (status === 400) throw new Error(`the links were refused: ${response.slice(0, 300)}`);
  }),
  "big-get": onBigTrees("GET tree", asks("GET", "/tree")),
  "big-hours": onBigTrees("GET hours", asks("GET", "/tree/hours?whatIf=all&explain=true")),
  "big-preview": onBigTrees("preview of tasks", asks("POST", "/tasks/preview")),
  "big-generate": onBigTrees("generate tasks, each time with a new key", ({ send }, { token, path }) =>
    send("POST", `${path}/tasks/generate`, { token, headers: { "idempotency-key": crypto.randomUUID() } }),
  ),
};
