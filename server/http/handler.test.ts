import { expectTypeOf, test } from "vitest";
import type { Client } from "../../contract/client/client.ts";
import type { Contract } from "../../contract/index.ts";
import type { Call, Response } from "./handler.ts";

type Start = Contract["startGoogleSignIn"];
type LogIn = Contract["logIn"];

test("the handler of an endpoint that redirects returns a location and no data, every other handler data and no location", () => {
  expectTypeOf<{ location: string }>().toExtend<Response<Start>>();
  expectTypeOf<{ data: object }>().not.toExtend<Response<Start>>();
  expectTypeOf<{ location: string }>().not.toExtend<Response<LogIn>>();
});

test("only endpoints that redirect receive cookies", () => {
  expectTypeOf<Call<Start>>().toHaveProperty("cookie");
  expectTypeOf<Call<LogIn>>().not.toHaveProperty("cookie");
});

test("the typed client has no call for endpoints that only a browser can follow", () => {
  expectTypeOf<Client>().toHaveProperty("exchangeCode");
  expectTypeOf<Client>().not.toHaveProperty("startGoogleSignIn");
});
