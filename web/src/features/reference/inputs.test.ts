import { expect, test } from "vitest";
import { isAstray, isGrave } from "./inputs.ts";

const id = { name: "id", in: "path", schema: {} } as const;

test.each([".", ".."])("%s as a value of the path is refused", (value) => {
  expect(isAstray(id, value)).toBe(true);
  expect(isAstray({ ...id, in: "query" }, value)).toBe(false);
});

test.each([undefined, "", "...", "%2e%2e", "est_0", "a.b", "../x"])("%s as a value of the path is taken", (value) => {
  expect(isAstray(id, value)).toBe(false);
});

test("a request that deletes, or makes, replaces or ends a credential, needs a confirmation", () => {
  expect(isGrave({ id: "deleteEstimation", method: "DELETE" })).toBe(true);
  for (const grave of ["createApiKey", "rotateWebhookSecret", "logOut", "transferEstimation"])
    expect(isGrave({ id: grave, method: "POST" })).toBe(true);
  expect(isGrave({ id: "createEstimation", method: "POST" })).toBe(false);
});
