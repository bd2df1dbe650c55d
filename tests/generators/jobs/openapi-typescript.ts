import createClient from "openapi-fetch";
import type { paths, webhooks } from "./generated/openapi-typescript.ts";
import { account, must, tree } from "./scenario.ts";

/** The body of a delivery, as a receiver that is written against the description types it. */
type TasksGenerated = webhooks["estimation.tasks_generated"]["post"]["requestBody"]["content"]["application/json"];
const countOf = (body: TasksGenerated): number => ("data" in body ? body.data.taskCount : body.taskCount);
must(countOf({ estimationId: "est_1", taskCount: 3 }) === 3);

const { baseUrl, email, password } = account;
const api = createClient<paths>({
  baseUrl,
  // The types do not tell it how the description writes lists.
  querySerializer: { array: { style: "form", explode: false } },
});

const registered = await api.POST("/api/auth/register", { body: { email, password } });
const headers = { authorization: `Bearer ${must(registered.data).data.token}` };

const created = await api.POST("/api/estimations", {
  headers,
  body: { title: "Shop", hourlyRate: 0.07, currency: "EUR" },
});
const { id, revision } = must(created.data).data.estimation;
const path = { id };

const replaced = await api.PUT("/api/estimations/{id}/tree", {
  headers,
  params: { path, header: { "If-Match": `"${revision}"` } },
  body: { nodes: tree() },
});
const { p50, p80 } = must(replaced.data).data.hours;
must(p50 < p80);

const stale = await api.PUT("/api/estimations/{id}/tree", {
  headers,
  params: { path, header: { "If-Match": `"${revision}"` } },
  body: { nodes: [] },
});
must(stale.error?.message === "revision_mismatch" && stale.error.details.revision > revision);

const wrong = await api.POST("/api/estimations", { headers, body: { title: "Shop", correlation: 2 } });
must(wrong.error?.message === "validation_failed" && wrong.error.errors?.[0]?.code === "too_large");

const listed = await api.GET("/api/estimations", { headers, params: { query: { status: ["draft", "submitted"] } } });
must(must(listed.data).data.estimations[0]?.id === id);

const generate = () =>
  api.POST("/api/estimations/{id}/tasks/generate", {
    headers,
    params: { path, header: { "Idempotency-Key": "once" } },
  });
const [first, second] = [await generate(), await generate()];
must(must(first.data).data.tasks.length > 0);
must(second.response.headers.get("idempotent-replayed") === "true");

const webhook = await api.POST("/api/webhooks", {
  headers,
  body: { url: "https://hooks.example.com/in", events: ["estimation.tasks_generated"] },
});
must(must(webhook.data).data.secret?.startsWith("whsec_"));

await api.DELETE("/api/estimations/{id}", { headers, params: { path } });
const gone = await api.GET("/api/estimations/{id}", { headers, params: { path } });
must(gone.error?.message === "not_found");
