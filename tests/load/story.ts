import { setTimeout as wait } from "node:timers/promises";
import type { Finding } from "../faults/finding.ts";
import { until } from "../faults/until.ts";
import { act, makeTeam, type Team } from "./actions.ts";
import { judge } from "./judge.ts";
import { createLedger } from "./ledger.ts";
import { type Stage, setStage } from "./stage.ts";
import { createTally, type Tally } from "./tally.ts";
import { register, type User } from "./user.ts";

/** How much is done. */
export interface Extent {
  readonly users: number;
  /** What each of them does in the end, … */
  readonly actionsEach: number;
  /** … or until when, in milliseconds. */
  readonly forMs: number;
  /** The longest pause of a user between two actions, in milliseconds. */
  readonly pauseMs: number;
}

/** Few estimations for many people, so that they meet. */
const USERS_PER_TEAM = 5;

/** So many register at the same time: hashing passwords is slow on purpose. */
const REGISTERING = 4;

/** The same numbers in every run; when they are drawn depends on the responses. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Has many people edit, review, share and read at the service, by default two processes with two workers, then compares what is there with what was acknowledged. */
export async function tellLoad(
  { users: count, actionsEach, forMs, pauseMs }: Extent,
  say: (line: string) => void,
  set: () => Promise<Stage> = () => setStage(2, 2),
): Promise<{ findings: Finding[]; tally: Tally }> {
  const stage = await set();
  try {
    const { urls, pool } = stage;
    const tally = createTally();
    const users: User[] = [];
    while (users.length < count) {
      const numbers = Array.from({ length: Math.min(REGISTERING, count - users.length) }, (_, at) => users.length + at);
      users.push(...(await Promise.all(numbers.map((n) => register(urls[n % urls.length] ?? "", `user-${n}`, tally)))));
    }
    const teams: Team[] = [];
    for (let first = 0; first + USERS_PER_TEAM <= users.length; first += USERS_PER_TEAM) {
      const [owner, editor, ...others] = users.slice(first, first + USERS_PER_TEAM);
      if (owner && editor) teams.push(await makeTeam(createLedger, stage.receiver.url, [owner, editor, ...others]));
    }
    say(`${users.length} users in ${teams.length} teams`);

    const begin = performance.now();
    const loop = async (n: number) => {
      const random = createRandom(n + 1);
      const team = teams[n % teams.length] as Team;
      for (let done = 0; done < actionsEach && performance.now() - begin < forMs; done += 1) {
        await act(team, `${n}-${done}`, random);
        await wait(random() * pauseMs);
      }
    };
    await Promise.all(users.map((_, n) => loop(n)));
    say(`${tally.total} requests in ${((performance.now() - begin) / 1_000).toFixed(1)} s`);

    const countOpen =
      "select count(*)::int as open from webhook_deliveries where status in ('pending', 'retry_scheduled')";
    let open = -1;
    const isDelivered = async () => {
      open = (await pool.query(countOpen)).rows[0].open;
      return open === 0;
    };
    await until("everything is delivered", isDelivered, () => open);
    const ended = stage.ended();
    const findings: Finding[] = [
      { what: "requests with a successful response", measured: tally.count(200, 299), least: count },
      { what: "requests with a 5xx response", measured: tally.count(500, 599), exactly: 0 },
      { what: "requests without a response", measured: tally.count(0, 0), exactly: 0 },
      {
        what: "requests with a 400 or 429 response",
        measured: tally.count(400, 400) + tally.count(429, 429),
        exactly: 0,
      },
      { what: "processes that ended by themselves", measured: ended, exactly: 0 },
      ...(await judge(teams, pool)),
    ];
    return { findings, tally };
  } finally {
    await stage.close();
  }
}
