import { expectTypeOf, test } from "vitest";
import type { ErrorBody } from "./error-body.ts";

test("comparing the message narrows an error to its details", () => {
  const read = (body: ErrorBody) => {
    if (body.message === "revision_mismatch") expectTypeOf(body.details).toEqualTypeOf<{ revision: number }>();
    if (body.message === "email_taken") expectTypeOf(body.details).toEqualTypeOf<undefined>();
    if (body.message === "Invalid or expired token") expectTypeOf(body.code).toEqualTypeOf<undefined>();
    if (body.message === "token_revoked") expectTypeOf(body.code).toEqualTypeOf<"TOKEN_REVOKED">();
  };
  expectTypeOf(read).toBeFunction();
});
