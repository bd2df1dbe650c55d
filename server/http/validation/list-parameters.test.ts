import { expect, test } from "vitest";
import { endpointEntries } from "../../../contract/index.ts";
import { nothing } from "../steps/step.ts";
import { listParametersOf, splitLists } from "./list-parameters.ts";

const parameters = endpointEntries.flatMap(([id, { query }]) =>
  listParametersOf(query ?? nothing).map((parameter) => [id, parameter.name, parameter] as const),
);

/** Texts of users, which may contain a comma. */
const FREE_TEXTS = ["tag"];

test.each(parameters)(
  "%s splits `%s` at commas, encoded or not, unless its values are users' texts",
  (_, name, parameter) => {
    const split = (raw: string) => {
      const query: Record<string, unknown> = { [name]: decodeURIComponent(raw) };
      splitLists(query, `/api/list?${name}=${raw}`, [parameter]);
      return query[name];
    };
    expect(split("one,two")).toEqual(["one", "two"]);
    expect(split("one%2Ctwo")).toEqual(FREE_TEXTS.includes(name) ? ["one,two"] : ["one", "two"]);
    expect(split("one%2ctwo")).toEqual(FREE_TEXTS.includes(name) ? ["one,two"] : ["one", "two"]);
  },
);
