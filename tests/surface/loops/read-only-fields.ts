import { expect } from "vitest";
import type { Endpoint } from "../../../contract/endpoint.ts";
import { type EndpointId, endpointRows } from "../../../contract/index.ts";
import type { TestApp } from "../../harness.ts";
import { changesNothing } from "../../support/dump.ts";
import { callSample } from "../call.ts";
import type { World } from "../samples.ts";
import type { Loop } from "./loop.ts";

interface Field {
  readonly readOnly?: boolean;
  readonly "x-must-match"?: boolean;
}

const fieldsOf = (body: unknown): [string, Field][] =>
  Object.entries((body as { properties?: Record<string, Field> } | undefined)?.properties ?? {});

/** Names of the read-only fields of a row's body: with `mustMatch` those that are compared, without it those ignored. */
export const readOnlyFields = ({ body }: Endpoint, { mustMatch }: { readonly mustMatch: boolean }): string[] =>
  fieldsOf(body)
    .filter(([, field]) => field.readOnly && (field["x-must-match"] ?? false) === mustMatch)
    .map(([name]) => name);

/** The record that a change of `id` answers. */
export async function changedRecord(app: TestApp, id: EndpointId, world: World): Promise<Record<string, unknown>> {
  const { data } = await callSample(app, id, world);
  return Object.values(data)[0] as unknown as Record<string, unknown>;
}

export const otherReadOnlyFieldsAreRefused: Loop = {
  title: "%s refuses each read-only field that differs from the record, and changes nothing",
  rows: endpointRows.filter(([, endpoint]) => readOnlyFields(endpoint, { mustMatch: true }).length > 0),
  async check({ app, world, undoing }, [id, endpoint]) {
    const record = await undoing(() => changedRecord(app, id, world));
    await changesNothing(app, async () => {
      for (const name of readOnlyFields(endpoint, { mustMatch: true })) {
        const value = record[name];
        for (const other of [null, "another", { a: 1 }, ["x"], value === true ? false : 5]) {
          if (other === value) continue;
          const answer = await callSample(app, id, world, { body: { [name]: other } });
          expect([answer.status, answer.body.errors?.[0]], `${name} as ${JSON.stringify(other)}`).toEqual([
            400,
            expect.objectContaining({ path: `/${name}`, in: "body", code: "read_only" }),
          ]);
        }
      }
    });
  },
};
