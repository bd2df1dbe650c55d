import type { Attack, Stage } from "../attack.ts";
import { actSteadily } from "../hostile-receiver.ts";

const STRANGERS = 5;
const REPEATS = 10;

let tokens: string[] = [];
let victims: string[] = [];
let path = "";

async function signUpAll({ signUp }: Stage, users: number): Promise<void> {
  tokens = [];
  for (let n = 0; n < users; n += 1) tokens.push((await signUp()).token);
}

/** Has work that takes a while, but less than what a thread is for. */
const tree = JSON.stringify({
  nodes: Array.from({ length: 20 }, (_, at) => ({
    title: `Part ${at}`,
    kind: "group",
    options: Array.from({ length: 20 }, (__, option) => ({ title: `Step ${option}`, hours: 8 })),
  })),
});

export const attacks: Readonly<Record<string, Attack>> = {
  "strangers-turn": {
    what: `${STRANGERS} strangers who know the innocent users' estimations, and try to write to them 20 times a second each`,
    async prepare(stage) {
      await signUpAll(stage, STRANGERS);
      const { rows } = await stage.pool.query<{ id: string }>("select id from estimations");
      victims = rows.map(({ id }) => `/api/estimations/${id}`);
    },
    async run(stage) {
      let at = 0;
      const write = (token: string) => {
        at += 1;
        const victim = victims[at % victims.length] ?? "";
        return at % 2 === 0
          ? stage.send("PUT", victim, { token, body: { title: "Mine" } })
          : stage.send("POST", `${victim}/tasks/generate`, { token, headers: { "idempotency-key": "mine" } });
      };
      await Promise.all(tokens.map((token) => actSteadily(stage, () => write(token))));
    },
  },
  "one-key": {
    what: `one user who generates tasks with the same Idempotency-Key ${REPEATS} times at once, then with the next key`,
    async prepare(stage) {
      await signUpAll(stage, 1);
      const token = tokens[0] ?? "";
      const made = await stage.send("POST", "/api/estimations", { token, body: { title: "Mine" } });
      path = `/api/estimations/${JSON.parse(made.text).data.estimation.id}`;
      const put = await stage.send("PUT", `${path}/tree`, { token, body: tree });
      if (put.status !== 200) throw new Error(`the tree was refused: ${put.text}`);
    },
    async run(stage) {
      const token = tokens[0] ?? "";
      await stage.repeat(1, async () => {
        const headers = { "idempotency-key": crypto.randomUUID() };
        const send = () => stage.send("POST", `${path}/tasks/generate`, { token, headers });
        await Promise.all(Array.from({ length: REPEATS }, send));
      });
    },
  },
};
