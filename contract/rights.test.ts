import { expectTypeOf, test } from "vitest";
import type { Guarded } from "./endpoint.ts";
import type { Right } from "./rights.ts";

type Row<Method extends string> = { readonly method: Method; readonly path: "/api/estimations/:id/tasks" };

test("a row below an estimation does not compile without a right, nor a write with the right to read", () => {
  expectTypeOf<Row<"GET">>().not.toExtend<Guarded<Row<"GET">>>();
  expectTypeOf<Guarded<Row<"GET">>["right"]>().toEqualTypeOf<Right>();
  expectTypeOf<Guarded<Row<"PUT">>["right"]>().toEqualTypeOf<Exclude<Right, "read">>();
  expectTypeOf<Guarded<Row<"POST"> & { readonly readOnly: true }>["right"]>().toEqualTypeOf<Right>();
});

test("what copies an estimation needs no more than the right to read", () => {
  expectTypeOf<Guarded<Row<"POST"> & { readonly copies: true }>["right"]>().toEqualTypeOf<Right>();
});

test("a write below an estimation does not compile unless it compares revisions", () => {
  type Unflagged = Row<"PUT"> & { readonly right: "edit" };
  expectTypeOf<Unflagged>().not.toExtend<Guarded<Unflagged>>();
  type Flagged = Unflagged & { readonly ifMatch: true };
  expectTypeOf<Flagged>().toExtend<Guarded<Flagged>>();
});

test("a row below a share does not compile without a right to write, except accepting it", () => {
  type Below<Rest extends string> = { readonly method: "GET"; readonly path: `/api/shares/:shareId${Rest}` };
  expectTypeOf<Guarded<Below<"">>["right"]>().toEqualTypeOf<Exclude<Right, "read">>();
  expectTypeOf<Guarded<Below<"/mails">>["right"]>().toEqualTypeOf<Exclude<Right, "read">>();
  expectTypeOf<Guarded<Below<"/accept">>["right"]>().toEqualTypeOf<undefined>();
});

test("a row that belongs to no estimation does not compile with a right", () => {
  type Webhooks = { readonly method: "GET"; readonly path: "/api/webhooks/:id" };
  expectTypeOf<Guarded<Webhooks>["right"]>().toEqualTypeOf<undefined>();
});
