import * as api from "./generated/orval.ts";
import { account, must, tree } from "./scenario.ts";

const { email, password } = account;
const registered = await api.registerUser({ email, password });
must(registered.status === 201);
const authorization = `Bearer ${registered.status === 201 ? registered.data.data.token : ""}`;
const init = { headers: { authorization } };

const created = await api.createEstimation({ title: "Shop", hourlyRate: 0.07, currency: "EUR" }, init);
if (created.status !== 201) throw new Error(created.data.message);
const { id, revision } = created.data.data.estimation;
const current = { headers: { authorization, "If-Match": `"${revision}"` } };

const replaced = await api.replaceTree(id, { nodes: tree() }, current);
if (replaced.status !== 200) throw new Error(replaced.data.message);
must(replaced.data.data.hours.p50 < replaced.data.data.hours.p80);

const stale = await api.replaceTree(id, { nodes: [] }, current);
must(stale.status === 412 && stale.data.details.revision > revision);

const wrong = await api.createEstimation({ title: "Shop", correlation: 2 }, init);
must(
  wrong.status === 400 && wrong.data.message === "validation_failed" && wrong.data.errors?.[0]?.code === "too_large",
);

const listed = await api.listEstimations({ status: ["draft", "submitted"] }, init);
must(listed.status === 200 && listed.data.data.estimations[0]?.id === id);

const once = { headers: { authorization, "Idempotency-Key": "once" } };
const [first, second] = [await api.generateTasks(id, once), await api.generateTasks(id, once)];
must(first.status === 200 && first.data.data.tasks.length > 0);
must(second.headers.get("idempotent-replayed") === "true");

const webhook = await api.createWebhook(
  { url: "https://hooks.example.com/in", events: ["estimation.tasks_generated"] },
  init,
);
must(webhook.status === 201 && webhook.data.data.secret?.startsWith("whsec_"));

await api.deleteEstimation(id, init);
const gone = await api.getEstimation(id, init);
must(gone.status === 404 && gone.data.message === "not_found");
