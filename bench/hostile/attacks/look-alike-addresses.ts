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

const countAccounts = async ({ pool }: Stage): Promise<number> =>
  (await pool.query<{ count: number }>("select count(*)::int from users")).rows[0]?.count ?? 0;

export const attack: Attack = {
  what: "20 registrations a second of addresses that look like those of innocent users, or are other spellings of them",
  async prepare(stage) {
    before = await countAccounts(stage);
  },
  run(stage) {
    let at = 0;
    return actSteadily(stage, () => {
      at += 1;
      const spell = SPELLINGS[at % SPELLINGS.length] as (name: string) => string;
      const body = { email: spell(`innocent-${at % 5}`), password: "quite another password" };
      return stage.send("POST", "/api/auth/register", { body });
    });
  },
  async find(stage) {
    const made = (await countAccounts(stage)) - before;
    return [{ line: `${made} of them became accounts`, ok: made === 0 }];
  },
};
