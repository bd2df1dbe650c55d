import type { TSchema } from "typebox";
import { expect } from "vitest";
import type { Endpoint } from "../../../contract/endpoint.ts";
import { components, type EndpointId, endpointEntries } from "../../../contract/index.ts";
import type { TestApp } from "../../harness.ts";
import { changesNothing } from "../../support/dump.ts";
import { callSample } from "../call.ts";
import type { World } from "../samples.ts";
import type { Loop } from "./loop.ts";

interface Field {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Field>>;
  readonly readOnly?: boolean;
  readonly "x-must-match"?: boolean;
}

const fieldsOf = (schema: TSchema | undefined): [string, Field][] =>
  Object.entries((schema as Field | undefined)?.properties ?? {});

/** Names of the read-only fields of an endpoint's body: with `mustMatch` those that are compared, without it those ignored. */
const readOnlyFields = ({ body }: Endpoint, { mustMatch }: { readonly mustMatch: boolean }): string[] =>
  fieldsOf(body)
    .filter(([, field]) => field.readOnly && (field["x-must-match"] ?? false) === mustMatch)
    .map(([name]) => name);

/** Names of the fields of the record that an endpoint returns, which is the first field of `data`. */
function recordFields({ response }: Endpoint): string[] {
  const [, record] = ("data" in response && fieldsOf(response.data)[0]) || [];
  const shared = components.find(({ $id }) => record?.$ref === `${$id}#`);
  return fieldsOf(shared ?? record).map(([name]) => name);
}

/** Sends the sample of a change, and returns the record in the response. */
async function changedRecord(app: TestApp, id: EndpointId, world: World): Promise<Record<string, unknown>> {
  const { data } = await callSample(app, id, world);
  return Object.values(data)[0] as unknown as Record<string, unknown>;
}

const changes = endpointEntries.filter(
  ([, { method, body }]) => ["PUT", "PATCH"].includes(method) && body !== undefined,
);

export const recordsAreIdentified: Loop = {
  title: "%s sets or compares the id, the owner and the state of the record (V15.3.3)",
  endpoints: changes,
  async check(_, [, endpoint]) {
    const named = recordFields(endpoint).filter((name) => ["id", "ownerId", "status"].includes(name));
    const set = fieldsOf(endpoint.body).filter(([, { readOnly }]) => !readOnly);
    const judged = [...set.map(([name]) => name), ...readOnlyFields(endpoint, { mustMatch: true })];
    expect(judged).toEqual(expect.arrayContaining(named));
  },
};

export const recordsAreTakenBack: Loop = {
  title: "%s accepts the record as it was returned, and ignores its derived fields (V15.3.3)",
  endpoints: changes,
  async check({ app, world, undoing }, [id, endpoint]) {
    const derived = readOnlyFields(endpoint, { mustMatch: false });
    const nonsense = Object.fromEntries(derived.map((name) => [name, { anything: [null] }]));
    await undoing(async () => {
      const record = await changedRecord(app, id, world);
      for (const body of [record, { ...record, ...nonsense }]) {
        const response = await callSample(app, id, world, { body });
        expect([response.status, response.body.errors]).toEqual([200, undefined]);
      }
    });
  },
};

export const otherReadOnlyFieldsAreRefused: Loop = {
  title: "%s refuses each read-only field that differs from the record, and changes nothing (V8.4.1, V15.3.3)",
  endpoints: endpointEntries.filter(([, endpoint]) => readOnlyFields(endpoint, { mustMatch: true }).length > 0),
  async check({ app, world, undoing }, [id, endpoint]) {
    const record = await undoing(() => changedRecord(app, id, world));
    await changesNothing(app, async () => {
      for (const name of readOnlyFields(endpoint, { mustMatch: true })) {
        const value = record[name];
        for (const other of [null, "another", { a: 1 }, ["x"], value === true ? false : 5]) {
          if (other === value) continue;
          const response = await callSample(app, id, world, { body: { [name]: other } });
          expect([response.status, response.body.errors?.[0]], `${name} as ${JSON.stringify(other)}`).toEqual([
            400,
            expect.objectContaining({ path: `/${name}`, in: "body", code: "read_only" }),
          ]);
        }
      }
    });
  },
};
