import { readFileSync } from "node:fs";
import type { WebhookEvent, WebhookEventName } from "estimation-service/webhooks";
import { expect, expectTypeOf, test } from "vitest";
import type { EventData, EventName } from "../contract/events.ts";
import { RECEIVER_EVENTS_FILE, receiverEvents } from "../scripts/receiver-events.ts";
import type { ShareAcceptedData, WebhookEventData } from "./events.gen.ts";

test("the committed types of the events match the catalogue", () => {
  expect(readFileSync(RECEIVER_EVENTS_FILE, "utf8")).toBe(receiverEvents());
});

test("a receiver reads exactly what the service sends", () => {
  type Sent = { [N in EventName]: EventData<N> };
  type Read = { [N in EventName]: Omit<WebhookEventData[N], "accepterUserId"> };
  type Mutable<T> = { -readonly [K in keyof T]: T[K] };
  expectTypeOf<WebhookEventName>().toEqualTypeOf<EventName>();
  expectTypeOf<{ [N in EventName]: Mutable<Read[N]> }>().toEqualTypeOf<Sent>();
  expectTypeOf<ShareAcceptedData["accepterUserId"]>().toEqualTypeOf<string | undefined>();
});

test("the name of the event determines the type of its data", () => {
  const taskCount = (event: WebhookEvent): number | string => {
    switch (event.event) {
      case "estimation.tasks_generated":
        expectTypeOf(event.data.taskCount).toEqualTypeOf<number>();
        return event.data.taskCount;
      case "unknown":
        expectTypeOf(event.data).toEqualTypeOf<Readonly<Record<string, unknown>>>();
        return event.name;
      default:
        expectTypeOf(event.data).not.toHaveProperty("name");
        return 0;
    }
  };
  expect(taskCount({ id: "wd_1", event: "unknown", name: "a.b", data: {} })).toBe("a.b");
});
