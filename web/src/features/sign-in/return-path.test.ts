import { expect, test } from "vitest";
import { safePath } from "./return-path.ts";

const ORIGIN = "https://estimates.example.com";

test.each(["/estimations/est_1?from=mail#top", "/shared?accept=share_1", "/docs#logOut"])("%s is gone to", (path) => {
  expect(safePath(path, ORIGIN)).toBe(path);
});

test.each([
  undefined,
  "",
  "estimations",
  "https://example.org/",
  "//example.org/",
  "/\\example.org/",
  "/.//example.org/",
  "/a/..//example.org/",
  "/\t/example.org/",
  "/sign-in?to=/",
  "javascript:alert(1)",
])("%j leads to the list of estimations", (path) => {
  expect(safePath(path, ORIGIN)).toBe("/estimations");
});
