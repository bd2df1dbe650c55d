import type { Attack } from "../attack.ts";
import { actSteadily, createWebhook } from "../hostile-receiver.ts";

/** As many as a user may have. */
const WEBHOOKS = 100;
/** Nothing listens there: every attempt fails at once. */
const NOWHERE = "https://127.0.0.1:9/";

let token = "";
let path = "";

export const attack: Attack = {
  what: `events for ${WEBHOOKS} webhooks of one user, as often as the limits allow`,
  deliveries: true,
  async prepare(stage) {
    ({ token } = await stage.signUp());
    const { text } = await stage.send("POST", "/api/estimations", { token, body: { title: "A shop" } });
    path = `/api/estimations/${JSON.parse(text).data.estimation.id}/tasks/generate`;
    for (let at = 0; at < WEBHOOKS; at += 1) await createWebhook(stage, token, NOWHERE);
  },
  run: (stage) => actSteadily(stage, () => stage.send("POST", path, { token })),
};
