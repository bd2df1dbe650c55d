import { sql } from "drizzle-orm";
import Type from "typebox";
import { expect, expectTypeOf, test } from "vitest";
import { clientOf } from "../../contract/client/client.ts";
import { endpoints } from "../../contract/endpoint.ts";
import { Shape } from "../../contract/shapes.ts";
import { docsPage } from "../../server/http/docs/docs-page.ts";
import { openApi } from "../../server/http/openapi/document.ts";
import { request, start } from "../harness.ts";
import { serveEndpoints } from "../support/planted-endpoints.ts";

const Label = Shape({ id: Type.String(), name: Type.String() });

const declared = endpoints({
  makeLabel: {
    method: "POST",
    path: "/api/labels",
    summary: "Make a label, unless there is one of this name",
    access: "estimations:write",
    body: Shape({ name: Type.String() }),
    response: {
      status: 201,
      created: "/api/labels/:labelId",
      data: Shape({ label: Label }),
      found: {
        status: 200,
        when: "There is a label of this name already",
        data: Shape({ label: Label, uses: Type.Integer() }),
      },
    },
  },
});

const app = await start();
await app.pool.query("create table labels (name text primary key)");
const { token } = await app.signUp();
const { url } = await serveEndpoints(app.services, declared, {
  async makeLabel({ body: { name }, db }) {
    const label = { id: `label-${name}`, name };
    const made = await db.execute(sql`insert into labels values (${name}) on conflict do nothing`);
    return made.rowCount === 1 ? { data: { label } } : { status: 200, data: { label, uses: 7 } };
  },
});
const make = (name: string, headers: Record<string, string> = {}) =>
  request(url, "POST", "/api/labels", { token, body: { name }, headers });

test("an endpoint with two successes returns each with its status and shape, and only a new record has a Location", async () => {
  const made = await make("a");
  expect([made.status, made.data]).toEqual([201, { label: { id: "label-a", name: "a" } }]);
  expect(made.headers.get("location")).toBe("/api/labels/label-a");
  const found = await make("a");
  expect([found.status, found.data]).toEqual([200, { label: { id: "label-a", name: "a" }, uses: 7 }]);
  expect(found.headers.has("location")).toBe(false);
});

test("a replay by Idempotency-Key has the status and shape of the first response, whichever it was", async () => {
  for (const status of [201, 200]) {
    const first = await make("b", { "idempotency-key": `first-${status}` });
    const again = await make("b", { "idempotency-key": `first-${status}` });
    expect([first.status, again.status, again.text]).toEqual([status, status, first.text]);
    expect(again.headers.get("location")).toBe(first.headers.get("location"));
    expect([first, again].map(({ headers }) => headers.get("idempotent-replayed"))).toEqual([null, "true"]);
  }
});

test("the description and the page of the reference show both", () => {
  const groups = [{ title: "Labels", section: "Estimating", description: "x", endpoints: declared }] as const;
  const { paths } = JSON.parse(JSON.stringify(openApi(groups, url)));
  const { 200: found, 201: made } = paths["/api/labels"].post.responses;
  const fieldsOf = (response: typeof made) =>
    Object.keys(response.content["application/json"].schema.properties.data.properties);
  expect([fieldsOf(made), fieldsOf(found)]).toEqual([["label"], ["label", "uses"]]);
  expect(found.description).toBe("There is a label of this name already");
  expect([made, found].map(({ headers }) => "Location" in headers)).toEqual([true, false]);
  expect(docsPage(groups, url)).toContain("200: There is a label of this name already");
});

test("the typed client tells them apart by status", async () => {
  const client = clientOf(declared, url, () => token);
  const response = await client.makeLabel({ body: { name: "a" } });
  expectTypeOf(response.status).toEqualTypeOf<200 | 201>();
  if (response.status !== 200) throw new Error(`it returned ${response.status}`);
  expectTypeOf(response.data.uses).toEqualTypeOf<number>();
  expect(response.data.uses).toBe(7);
});
