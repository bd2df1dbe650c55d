import type { Attack, Stage } from "../attack.ts";
import { actSteadily } from "../hostile-receiver.ts";

/** Spellings that look like an innocent user's address, or mean the same domain. */
const SPELLINGS: readonly ((name: string) => string)[] = [
  (name) => `${name}@\uff45xample.com`,
  (name) => `${name}@example\u3002com`,
  (name) => `${name}\u200b@example.com`,
  (name) => `${name}@exam\u00adple.com`,
  (name) => `${name}@\u1d49xample.com`,
  (name) => `\u2060${name}@example.com`,
];

let before = 0;
/** Answers that refused the address itself. */
let refused = 0;

const countAccounts = async ({ pool }: Stage): Promise<number> =>
  (await pool.query<{ count: number }>("select count(*)::int from users")).rows[0]?.count ?? 0;

export const attack: Attack = {
  what: "20 registrations a second of addresses that look like those of innocent users, or are other spellings of them",
  async prepare(stage) {
    before = await countAccounts(stage);
  },
  // Otherwise nearly all would be refused for their number.
  env: async () => ({ RATE_LIMIT_AUTH_PER_MINUTE: "100000" }),
  run(stage) {
    let at = 0;
    return actSteadily(stage, async () => {
      at += 1;
      const spell = SPELLINGS[at % SPELLINGS.length] as (name: string) => string;
      const body = { email: spell(`innocent-${at % 5}`), password: "quite another password" };
      const { status } = await stage.send("POST", "/api/auth/register", { body });
      if (status === 400) refused += 1;
    });
  },
  async find(stage) {
    const made = (await countAccounts(stage)) - before;
    return [
      { line: `${refused} of them were refused for the address`, ok: refused > 0 },
      { line: `${made} of them became accounts`, ok: made === 0 },
    ];
  },
};
