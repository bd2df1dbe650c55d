import { expect, it } from "vitest";
import { GITHUB_PACKAGE, githubOperations } from "./described.ts";
import { description } from "./description.ts";
import { createOperations } from "./operations.ts";
import { FakeRepository } from "./repository.ts";

const ask = (method: string, path: string, { query = "", body }: { query?: string; body?: unknown } = {}) =>
  description.request({ method, path, query: new URLSearchParams(query), body })?.faults.length;
const issues = "/repos/acme/shop/issues";

it("GitHub's description has the named version and operations, and the fake has the same operations", () => {
  const { name, version, operations } = description.origin();
  expect({ name, version }, "run npm run describe:github").toEqual(GITHUB_PACKAGE);
  expect(operations.toSorted(), "run npm run describe:github").toEqual(githubOperations.toSorted());
  const played = Object.keys(createOperations(new FakeRepository(() => new Date())));
  expect(played.toSorted()).toEqual(githubOperations.toSorted());
});

it("GitHub's description accepts what it declares, and refuses everything else", () => {
  expect(ask("POST", issues, { body: { title: "A", labels: ["b"], milestone: 1 } })).toBe(0);
  expect(ask("POST", issues, { body: { title: "A", colour: "red" } })).toBe(1);
  expect(ask("POST", issues, { body: { title: "A", labels: [{ name: "b", colour: "red" }] } })).toBeGreaterThan(0);
  expect(ask("POST", issues, { body: { body: "A" } })).toBe(1);
  expect(ask("POST", issues)).toBe(1);
  expect(ask("GET", issues, { query: "state=all&per_page=100&since=2027-01-31T12:00:00Z" })).toBe(0);
  expect(ask("GET", issues, { query: "state=any" })).toBe(1);
  expect(ask("GET", issues, { query: "after=x" })).toBe(1);
  expect(ask("GET", issues, { body: {} })).toBe(1);
  expect(ask("GET", `${issues}/one`)).toBe(1);
  expect(ask("DELETE", `${issues}/1`)).toBeUndefined();
});

it("the description judges responses too", () => {
  const of = (json: unknown) => description.response("POST /repos/{owner}/{repo}/issues", 201, json).length;
  const issue = description.sample("#/components/schemas/issue");
  expect(of(issue)).toBe(0);
  expect(of({ ...issue, number: "1" })).toBe(1);
  expect(of({})).toBeGreaterThan(0);
});
