import { describe, expect, test } from "vitest";
import { type AccessLevel, accessLevels, type Right, rightNames } from "../contract/rights.ts";
import { levelsWith, may, type Verdict } from "./access.ts";

/** The whole rule, written a second time. */
const RULE: Readonly<Record<Right, Readonly<Record<AccessLevel, Verdict>>>> = {
  read: { owner: "allowed", editor: "allowed", viewer: "allowed", reviewer: "allowed" },
  comment: { owner: "allowed", editor: "allowed", viewer: "allowed", reviewer: "allowed" },
  decide: { owner: "allowed", editor: "allowed", viewer: "allowed", reviewer: "allowed" },
  estimate: { owner: "allowed", editor: "allowed", viewer: "allowed", reviewer: "allowed" },
  edit: { owner: "allowed", editor: "allowed", viewer: "forbidden", reviewer: "forbidden" },
  own: { owner: "allowed", editor: "forbidden", viewer: "forbidden", reviewer: "forbidden" },
  restore: { owner: "allowed", editor: "forbidden", viewer: "forbidden", reviewer: "forbidden" },
};

describe.each(rightNames)("the right to %s", (right) => {
  test.each(accessLevels)("is decided for level %s", (level) => {
    expect(may(level, right)).toBe(RULE[right][level]);
    expect(levelsWith(right).includes(level)).toBe(RULE[right][level] === "allowed");
  });

  test("does not even reveal the estimation without a level", () => {
    expect(may(null, right)).toBe("unseen");
  });
});
