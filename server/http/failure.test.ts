import { expectTypeOf, test } from "vitest";
import type { fail } from "./failure.ts";

test("a refusal accepts the details that its error declares, and no others", () => {
  type Mismatch = Parameters<typeof fail<"revision_mismatch">>;
  expectTypeOf<["revision_mismatch", { details: { revision: number } }]>().toExtend<Mismatch>();
  expectTypeOf<["revision_mismatch"]>().not.toExtend<Mismatch>();
  expectTypeOf<["revision_mismatch", { details: { revision: string } }]>().not.toExtend<Mismatch>();
  type Taken = Parameters<typeof fail<"email_taken">>;
  expectTypeOf<["email_taken"]>().toExtend<Taken>();
  expectTypeOf<["email_taken", { details: { revision: number } }]>().not.toExtend<Taken>();
});
