import type { Attack } from "../attack.ts";

/** More than the writes of a user that may wait: the others are refused. */
const AT_ONCE = 60;

let token = "";

export const attack: Attack = {
  what: `a user who makes estimations and API keys, ${AT_ONCE} at once, without a limit of requests`,
  // Not the limit of each user is measured: an attacker may have many users.
  env: { RATE_LIMIT_PER_MINUTE: "1000000" },
  async prepare({ signUp }) {
    ({ token } = await signUp());
  },
  async run(stage) {
    let at = 0;
    const creations = [
      () => stage.send("POST", "/api/estimations", { token, body: { title: `Shop ${at}` } }),
      () => stage.send("POST", "/api/api-keys", { token, body: { name: `Key ${at}`, scopes: [] } }),
    ];
    await stage.repeat(AT_ONCE, async () => {
      at += 1;
      await creations[at % creations.length]?.();
    });
  },
};
