import { expect, test } from "vitest";
import { similarName } from "./typing-errors.ts";

const known = ["PORT", "DATA_DIR", "LOG_LEVEL", "WEBHOOK_TIMEOUT", "WEBHOOK_MAX_ATTEMPTS", "MAIL_FROM"];

test.each([
  ["WEBHOOK_MAX_ATTEMPT", "WEBHOOK_MAX_ATTEMPTS"],
  ["WEBHOOK_MAX_ATEMPT", "WEBHOOK_MAX_ATTEMPTS"],
  ["WEBHOKO_TIMEOUT", "WEBHOOK_TIMEOUT"],
  ["webhook_timeout", "WEBHOOK_TIMEOUT"],
  ["MAIL_FORM", "MAIL_FROM"],
  ["DATADIR", "DATA_DIR"],
  ["LOGLEVELS", undefined],
  ["port", "PORT"],
  ["POST", undefined],
  ["PORTS", undefined],
  ["WEBHOOK_SECRET", undefined],
  ["", undefined],
])("%s probably means %s", (name, meant) => {
  expect(similarName(name, known)).toBe(meant);
});
