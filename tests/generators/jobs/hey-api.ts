import { client } from "./generated/hey-api/client.gen.js";
import * as api from "./generated/hey-api/sdk.gen.js";
import { account, must, tree } from "./scenario.ts";

const { baseUrl, email, password } = account;
client.setConfig({ baseUrl });

const registered = await api.registerUser({ body: { email, password } });
client.setConfig({ baseUrl, auth: must(registered.data).data.token });

const created = await api.createEstimation({ body: { title: "Shop", hourlyRate: 0.07, currency: "EUR" } });
const { id, revision } = must(created.data).data.estimation;
const path = { id };
const current = { "If-Match": `"${revision}"` };

const replaced = await api.replaceTree({ path, headers: current, body: { nodes: tree() } });
const { p50, p80 } = must(replaced.data).data.hours;
must(p50 < p80);

const stale = await api.replaceTree({ path, headers: current, body: { nodes: [] } });
must(stale.error?.message === "revision_mismatch" && stale.error.details.revision > revision);

const wrong = await api.createEstimation({ body: { title: "Shop", correlation: 2 } });
must(wrong.error?.message === "validation_failed" && wrong.error.errors?.[0]?.code === "too_large");

const listed = await api.listEstimations({ query: { status: ["draft", "submitted"] } });
must(must(listed.data).data.estimations[0]?.id === id);

const generate = () => api.generateTasks({ path, headers: { "Idempotency-Key": "once" } });
const [first, second] = [await generate(), await generate()];
must(must(first.data).data.tasks.length > 0);
must(second.response?.headers.get("idempotent-replayed") === "true");

const webhook = await api.createWebhook({
  body: { url: "https://hooks.example.com/in", events: ["estimation.tasks_generated"] },
});
must(must(webhook.data).data.secret?.startsWith("whsec_"));

await api.deleteEstimation({ path });
const gone = await api.getEstimation({ path });
must(gone.error?.message === "not_found");
