import type { Attack, Stage } from "../attack.ts";

const CLIENTS = 4;
const TASKS = 500;
const roles = ["backend", "frontend", "design", "operations"];

/** Each client is a user of its own, with an estimation of 500 tasks. */
interface Client {
  readonly token: string;
  readonly path: string;
  readonly milestone: string;
}

const options = Array.from({ length: TASKS }, (_, number) => ({
  title: `Part ${number}`,
  role: roles[number % roles.length],
  hours: { optimistic: 2 + (number % 5), likely: 8 + (number % 7), pessimistic: 20 + (number % 11) },
}));
const nodes = Array.from({ length: 5 }, (_, node) => ({
  title: `Scope ${node}`,
  kind: "group",
  options: options.slice(node * 100, node * 100 + 100),
}));

async function makeClient({ signUp, send }: Stage): Promise<Client> {
  const { token } = await signUp();
  const call = async (method: string, path: string, body?: unknown) => {
    const { status, text } = await send(method, path, { token, body });
    if (status >= 300) throw new Error(`${method} ${path} returned ${status}: ${text.slice(0, 200)}`);
    return JSON.parse(text).data;
  };
  const { estimation } = await call("POST", "/api/estimations", { title: "Large" });
  const path = `/api/estimations/${estimation.id}`;
  await call("PUT", `${path}/tree`, { nodes });
  const { tasks } = await call("POST", `${path}/tasks/generate`, {});
  const ids: string[] = tasks
    .filter(({ hours }: { hours: number | null }) => hours !== null)
    .map(({ id }: { id: string }) => id);
  const dependencies = ids.slice(7).flatMap((to, at) => (at % 2 === 0 ? [] : [{ from: ids[at], to }]));
  await call("PUT", `${path}/timeline`, { startDate: "2027-01-04", timeZone: "Europe/Berlin", dependencies });
  const { milestone } = await call("POST", `${path}/milestones`, { title: "Beta", dueDate: "2027-06-30" });
  return { token, path, milestone: milestone.id };
}

let clients: Client[] = [];

export const attack: Attack = {
  what: `forecasts of ${TASKS} tasks in 10,000 runs, each time with other input, by ${CLIENTS} clients`,
  mostRatio: 2,
  seconds: 20,
  // Not the limit of each user is measured: an attacker may have many users.
  env: { RATE_LIMIT_PER_MINUTE: "1000000" },
  async prepare(stage) {
    clients = [];
    for (let n = 0; n < CLIENTS; n += 1) clients.push(await makeClient(stage));
  },
  async run(stage) {
    let asked = 0;
    const ask = ({ token, path, milestone }: Client) => {
      asked += 1;
      const dueDate = new Date(Date.UTC(2027, 0, 1 + (asked % 5_000))).toISOString().slice(0, 10);
      return stage.send("PATCH", `${path}/milestones/${milestone}`, { token, body: { dueDate } });
    };
    await Promise.all(clients.map((client) => stage.repeat(1, () => ask(client))));
  },
};
