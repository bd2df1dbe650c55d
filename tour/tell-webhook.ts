import type { Receiver } from "../clients/cli/listen/receiver.ts";
import type { Clock } from "../server/platform/clock.ts";
import { expectEvent } from "./arrival.ts";
import { expect, type Plan, percentiles } from "./estimate.ts";
import type { Stage } from "./stage.ts";

export interface Props {
  readonly plan: Plan;
  readonly receiver: Receiver;
  readonly clock: Pick<Clock, "now">;
}

/** Registers a webhook at the receiver, and has it notified of a test and of generated tasks. */
export async function tellWebhook({ client, step, goOn }: Stage, { plan, receiver, clock }: Props): Promise<void> {
  const estimation = { id: plan.estimationId };
  const { webhook, secret } = await step({
    title: "Register a webhook",
    says: "At an HTTPS server on this machine: `npm run listen`, or the tour's own. The secret is shown only now.",
    call: () =>
      client.createWebhook({ body: { url: `${receiver.url}/estimates`, events: ["estimation.tasks_generated"] } }),
    status: 201,
    shows: ["webhook.id", "webhook.url", "webhook.events", "secret"],
    remember: {
      WEBHOOK: { read: ({ webhook }) => webhook.id, command: "value webhook.id" },
      SECRET: { read: ({ secret }) => secret, command: "value secret" },
    },
    undo: ({ webhook }) => client.deleteWebhook({ params: { id: webhook.id } }),
  });
  const params = { id: webhook.id };
  const latest = async () => (await client.listDeliveries({ params, query: { limit: 1 } })).data.deliveries[0];
  const arrivalOf = (event: string) => expectEvent({ event, receiver, secret, clock, latest, goOn });

  await step({
    title: "Send a test",
    says: "Accepted at once, delivered in the background.",
    call: () => client.testWebhook({ params }),
    status: 202,
    shows: ["delivery.event", "delivery.status"],
    after: () => arrivalOf("webhook.test"),
  });
  await step({
    title: "Change the plan",
    says: "PayPal is out.",
    call: () => client.deselectOption({ params: { ...estimation, optionId: plan.payPalId } }),
    status: 200,
    shows: ["ETag", "option.title", "option.selected", ...percentiles],
  });
  const { summary } = await step({
    title: "Generate the tasks again",
    says: "They follow the tree: one is removed; the others keep their ids and what people changed in them. The webhook is told.",
    call: () => client.generateTasks({ params: estimation }),
    status: 200,
    shows: ["summary"],
    after: () => arrivalOf("estimation.tasks_generated"),
  });
  expect(summary.removed === 1 && summary.created === 0, "generating again did more than remove one task");

  const log = await step({
    title: "Read the delivery log",
    says: "Every attempt, with its time and the receiver's response; the newest delivery first.",
    call: () => client.listDeliveries({ params }),
    status: 200,
    shows: ["deliveries.event", "deliveries.status", "deliveries.attempts.responseStatus"],
  });
  expect(log.deliveries.length === 2, "the delivery log does not have the two deliveries");
  await step({
    title: "Delete the webhook",
    says: "Deliveries that wait for another attempt are dropped with it.",
    call: () => client.deleteWebhook({ params }),
    status: 200,
    shows: ["webhook.id"],
  });
}
