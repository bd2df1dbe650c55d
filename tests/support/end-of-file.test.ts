import { expect, test } from "vitest";
import { atEndOfFile, runEndings } from "./end-of-file.ts";

test("endings run once, the latest first, even if one of them fails", async () => {
  const ran: string[] = [];
  atEndOfFile(async () => void ran.push("first"));
  atEndOfFile(() => Promise.reject(new Error("lost")));
  atEndOfFile(async () => void ran.push("last"));
  await expect(runEndings()).rejects.toThrow("lost");
  await runEndings();
  expect(ran).toEqual(["last", "first"]);
});
