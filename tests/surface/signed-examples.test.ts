import { expect, test } from "vitest";
import { type EventName, eventNames } from "../../contract/events.ts";
import { EXAMPLE_SECRET } from "../../contract/values/delivery-headers.ts";
import { verify } from "../../receiver/index.ts";
import { eventOperations, eventTag } from "../../server/http/openapi/events.ts";

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly example: string }[];
  readonly requestBody: {
    readonly content: { readonly "application/json": { readonly examples: { readonly data: { value: object } } } };
  };
}

const operations = eventOperations() as Readonly<Record<EventName, { readonly post: Operation }>>;

test.each(eventNames)(
  "a receiver accepts the example of %s, with its headers and the documented secret",
  async (name) => {
    const { parameters, requestBody } = operations[name].post;
    const headers = Object.fromEntries(parameters.map(({ name: header, example }) => [header, example]));
    const body = JSON.stringify(requestBody.content["application/json"].examples.data.value);
    const now = () => new Date(Number(headers["webhook-timestamp"]) * 1_000);
    expect(await verify(body, headers, EXAMPLE_SECRET, { now })).toMatchObject({ event: name });
    await expect(verify(`${body} `, headers, EXAMPLE_SECRET, { now })).rejects.toThrow();
  },
);

test("the secret of the examples is documented", () => {
  expect(eventTag.description).toContain(EXAMPLE_SECRET);
});
