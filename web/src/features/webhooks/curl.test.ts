import { expect, test } from "vitest";
import { curlOf } from "./curl.ts";

test("what is sent again is quoted for a shell, so that nothing in it is carried out", () => {
  const headers = { "X-Service-Event": "it's", "webhook-signature": "v1,a+/= v1,b" };
  const body = `{"name":"O'Neill $(id) \`id\` \\ !"}\n`;
  expect(curlOf({ url: "https://example.com/in?a=1&b=[2]", headers, body })).toBe(
    [
      "curl --globoff 'https://example.com/in?a=1&b=[2]' \\",
      "  --header 'X-Service-Event: it'\\''s' \\",
      "  --header 'webhook-signature: v1,a+/= v1,b' \\",
      `  --data-raw '{"name":"O'\\''Neill $(id) \`id\` \\ !"}\n'`,
    ].join("\n"),
  );
});
