import type { Attack } from "../attack.ts";
import { actSteadily } from "../hostile-receiver.ts";

/** Nothing listens there: the delivery fails, and the log says more than once what the worker did. */
const NOWHERE = "https://127.0.0.1:9/";

let token = "";
let path = "";

export const attack: Attack = {
  what: "a log on a full disk, with everything logged, and deliveries and changes that write to it all the time",
  hasFullLog: true,
  env: { LOG_LEVEL: "trace" },
  async prepare({ signUp, send }) {
    ({ token } = await signUp());
    const made = await send("POST", "/api/estimations", { token, body: { title: "Logged" } });
    path = `/api/estimations/${JSON.parse(made.text).data.estimation.id}`;
    await send("POST", "/api/webhooks", { token, body: { url: NOWHERE, events: ["estimation.tasks_generated"] } });
  },
  run: (stage) => actSteadily(stage, () => stage.send("POST", `${path}/tasks/generate`, { token })),
};
