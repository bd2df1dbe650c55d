import { expect, test } from "vitest";
import { readUserAgent } from "./user-agent.ts";

test("a user agent is read as its browser and system, where it says them", () => {
  const chrome =
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";
  const read = (userAgent: string) => Object.values(readUserAgent(userAgent));
  expect(read(chrome)).toEqual(["Chrome", "Linux"]);
  expect(read(`${chrome} Edg/141.0.0.0`)).toEqual(["Edge", "Linux"]);
  expect(
    read("Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Safari/604.1"),
  ).toEqual(["Safari", "iOS"]);
  expect(read("Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0")).toEqual(["Firefox", "Android"]);
  expect(read("curl/8.5.0")).toEqual(["curl", null]);
  expect(read("node")).toEqual([null, null]);
});
