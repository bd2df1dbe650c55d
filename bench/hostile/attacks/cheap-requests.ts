import { setTimeout as wait } from "node:timers/promises";
import type { Attack, Stage } from "../attack.ts";
import { actSteadily } from "../hostile-receiver.ts";

const USERS = 50_000;
const SEARCHERS = 10;
/** Requests a second of one sender without regard to its limit. */
const PER_SECOND = 200;
const UPLOADS = 16;
const UPLOAD = Buffer.alloc(8 * 1024 * 1024, " ");

let tokens: string[] = [];

/** Sends so often, whatever becomes of the earlier requests. */
async function sendOften({ signal }: Stage, send: (at: number) => Promise<unknown>): Promise<void> {
  const begun: Promise<unknown>[] = [];
  for (let at = 0; !signal.aborted; at += 1) {
    begun.push(send(at));
    await wait(1_000 / PER_SECOND);
  }
  await Promise.all(begun);
}

export const attacks: Readonly<Record<string, Attack>> = {
  "user-search": {
    what: `${SEARCHERS} users who search among ${USERS} for what no index of letters finds`,
    async prepare({ signUp, pool }) {
      tokens = [];
      for (let n = 0; n < SEARCHERS; n += 1) tokens.push((await signUp()).token);
      await pool.query(
        `insert into users (id, email, name, token_version, email_verified_at, created_at)
         select 'usr_' || lpad(n::text, 26, '0'), 'user-' || n || '@example.com', 'User ' || n, 0, now(), now()
         from generate_series(1, $1::int) as n`,
        [USERS],
      );
      await pool.query("vacuum analyze users");
    },
    async run(stage) {
      const texts = ["...", "€€€€", "a", "@", "  e"];
      let at = 0;
      const search = (token: string) => {
        at += 1;
        return stage.send("GET", `/api/users?${new URLSearchParams({ q: texts[at % texts.length] ?? "" })}`, { token });
      };
      await Promise.all(tokens.map((token) => actSteadily(stage, () => search(token))));
    },
  },
  limited: {
    what: `${PER_SECOND} requests a second of one user far beyond the limit, with tokens that are valid or unknown`,
    env: { RATE_LIMIT_PER_MINUTE: "600" },
    async prepare({ signUp }) {
      tokens = [(await signUp()).token];
    },
    run: (stage) =>
      sendOften(stage, (at) => {
        const token = at % 2 === 0 ? tokens[0] : `svc_live_${crypto.randomUUID().replaceAll("-", "")}`;
        return stage.send("GET", "/api/estimations", token === undefined ? {} : { token });
      }),
  },
  "unknown-paths": {
    what: `${PER_SECOND} requests a second for paths that do not exist, and for the description of the interface`,
    run: (stage) =>
      sendOften(stage, (at) => stage.send("GET", at % 10 === 0 ? "/api/openapi.json" : `/api/nothing/${at}`)),
  },
  "refused-uploads": {
    what: `${UPLOADS} uploads of 8 MiB at once, again and again, to a path that reads 1 MiB`,
    memoryMiB: 2_048,
    async prepare({ signUp }) {
      tokens = [(await signUp()).token];
    },
    run: (stage) =>
      stage.repeat(UPLOADS, () =>
        stage.send("POST", "/api/estimations", { token: tokens[0] ?? "", body: UPLOAD }).then(() => wait(2_000)),
      ),
  },
};
