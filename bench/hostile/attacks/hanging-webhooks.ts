import type { Attack, Stage } from "../attack.ts";
import { actSteadily, createWebhook, startHostileReceiver } from "../hostile-receiver.ts";

/** As many as a user may have. */
const WEBHOOKS = 100;
/** Of twenty requests a second, one tells all webhooks of an event. */
const TELL_EVERY = 20;

let token = "";
let url = "";
let estimation = "";
let paths: string[] = [];

async function prepare(stage: Stage): Promise<void> {
  url = await startHostileReceiver(stage, () => {});
  ({ token } = await stage.signUp());
  const { text } = await stage.send("POST", "/api/estimations", { token, body: { title: "A shop" } });
  estimation = `/api/estimations/${JSON.parse(text).data.estimation.id}`;
  paths = [];
  for (let at = 0; at < WEBHOOKS; at += 1) paths.push(await createWebhook(stage, token, url));
}

export const attack: Attack = {
  what: "100 webhooks that hang, deleted and made anew all the time: each is one that nobody knows yet",
  deliveries: true,
  prepare,
  async run(stage) {
    let turn = 0;
    await actSteadily(stage, async () => {
      turn += 1;
      if (turn % TELL_EVERY === 1) return stage.send("POST", `${estimation}/tasks/generate`, { token });
      if (turn % 2 === 0) return stage.send("DELETE", paths.shift() ?? "", { token });
      return createWebhook(stage, token, url).then(
        (path) => paths.push(path),
        () => undefined,
      );
    });
  },
};
