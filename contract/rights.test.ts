import { expectTypeOf, test } from "vitest";
import type { Guarded } from "./endpoint.ts";
import type { Right } from "./rights.ts";

type Row<Method extends string> = { readonly method: Method; readonly path: "/api/estimations/:id/tasks" };

test("an endpoint below an estimation does not compile without a right, nor a write with the right to read", () => {
  expectTypeOf<Row<"GET">>().not.toExtend<Guarded<Row<"GET">>>();
  expectTypeOf<Guarded<Row<"GET">>["right"]>().toEqualTypeOf<Right>();
  expectTypeOf<Guarded<Row<"PUT">>["right"]>().toEqualTypeOf<Exclude<Right, "read">>();
  expectTypeOf<Guarded<Row<"POST"> & { readonly transaction: false }>["right"]>().toEqualTypeOf<Right>();
});

test("an endpoint that copies an estimation needs only the right to read", () => {
  type Making<Created extends string> = Row<"POST"> & { readonly response: { readonly created: Created } };
  expectTypeOf<Guarded<Making<"/api/estimations/:copyId">>["right"]>().toEqualTypeOf<Right>();
  expectTypeOf<Guarded<Making<"/api/estimations/:id/tasks/:taskId">>["right"]>().toEqualTypeOf<
    Exclude<Right, "read">
  >();
});

test("a write below an estimation does not compile unless it compares revisions", () => {
  type Unflagged = Row<"PUT"> & { readonly right: "edit" };
  expectTypeOf<Unflagged>().not.toExtend<Guarded<Unflagged>>();
  type Flagged = Unflagged & { readonly ifMatch: true };
  expectTypeOf<Flagged>().toExtend<Guarded<Flagged>>();
});

test("an endpoint that belongs to no estimation does not compile with a right", () => {
  type Webhooks = { readonly method: "GET"; readonly path: "/api/webhooks/:id" };
  expectTypeOf<Guarded<Webhooks>["right"]>().toEqualTypeOf<undefined>();
});
