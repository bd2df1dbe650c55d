import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { routes } from "../../clients/typescript/routes.gen.ts";
import type { Endpoints } from "../../clients/typescript/schema.gen.ts";
import type { DataResponse, Endpoint, FirstSuccess, FoundSuccess, Input } from "../../contract/endpoint.ts";
import type { Contract } from "../../contract/index.ts";
import { PACKAGE_ROUTES_FILE, packageRoutes } from "../../scripts/client-routes.ts";
import { CLIENT_TYPES_FILE, clientTypes } from "../../scripts/client-types.ts";

test("what the package knows of the endpoints is generated from the contract", () => {
  expect(readFileSync(PACKAGE_ROUTES_FILE, "utf8")).toBe(packageRoutes());
  expect(readFileSync(CLIENT_TYPES_FILE, "utf8")).toBe(clientTypes());
});

test("every list of pages says what its rows are", () => {
  const lists = Object.values(routes).filter(({ rows }) => rows !== undefined);
  expect(lists.length).toBeGreaterThan(25);
  expect(packageRoutes().match(/rows: /g)?.length).toBe(lists.length);
});

/** With lists that may be changed, as the contract has them. */
type Changeable<T> = T extends readonly (infer One)[]
  ? Changeable<One>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Changeable<T[Key]> }
    : T;

type IsSame<One, Other> = [Changeable<One>, Changeable<Other>] extends [Changeable<Other>, Changeable<One>]
  ? true
  : false;

/** What the types of the package may not share: */
type Excepted =
  // the response to a repeated request leaves the secrets out;
  | { [Id in keyof Contract]: Contract[Id] extends { secrets: readonly string[] } ? Id : never }[keyof Contract]
  // an object of any kind is a record to callers;
  | "listWebhookEvents"
  // the contract types only some fields of the options of a template, and takes only records back for what is read-only.
  | "getTemplate"
  | "replaceTree";

type SuccessOf<E extends Endpoint> = FirstSuccess<E> | FoundSuccess<E>;

type ResponseDiffers<Id extends keyof Endpoints> = Contract[Id]["response"] extends DataResponse
  ? Endpoints[Id] extends { response: infer Success }
    ? IsSame<Success, SuccessOf<Contract[Id]>> extends true
      ? never
      : Id
    : Id
  : never;

type SentDiffers<Id extends keyof Endpoints, Part extends "body" | "query"> = unknown extends Input<Contract[Id]>[Part]
  ? never
  : undefined extends Input<Contract[Id]>[Part]
    ? never
    : Endpoints[Id]["request"] extends { [Key in Part]?: infer Sent }
      ? // The service fills in what has a default, so callers may leave it out.
        IsSame<Partial<NonNullable<Sent>>, Partial<Input<Contract[Id]>[Part]>> extends true
        ? never
        : Id
      : Id;

type Differing = {
  [Id in Exclude<keyof Endpoints, Excepted>]: ResponseDiffers<Id> | SentDiffers<Id, "body"> | SentDiffers<Id, "query">;
}[Exclude<keyof Endpoints, Excepted>];

test("the generated types are those that the contract has for the service itself", () => {
  // Compiles only if there are none.
  const differing: { readonly [Id in Differing]: Id } = {};
  expect(Object.keys(differing)).toEqual([]);
});
