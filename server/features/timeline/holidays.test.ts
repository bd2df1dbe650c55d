import { expect, test } from "vitest";
import type { Country, Holiday } from "../../../contract/endpoints/holidays.ts";
import { start } from "../../../tests/harness.ts";
import { setScene } from "./testing/scene.ts";

const app = await start();
const user = await app.signUp();
const get = (path: string) => app.request("GET", `/api/holidays${path}`, { token: user.token });

async function datesOf(query: string): Promise<string[]> {
  const { data } = await get(query);
  return (data.holidays as unknown as Holiday[]).map(({ date }) => date);
}

test("countries are listed by name, with their regions", async () => {
  const countries = (await get("/countries")).data.countries as unknown as Country[];
  const names = countries.map(({ name }) => name);
  expect(names.length).toBeGreaterThan(150);
  expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, "en")));
  const regions = countries.find(({ code }) => code === "DE")?.regions;
  expect(regions?.find(({ code }) => code === "BY")).toEqual({ code: "BY", name: "Bayern" });
});

test("a country has its public holidays, a region of it has more; those of several days are several rows", async () => {
  const germany = await datesOf("?country=DE&from=2027&to=2028");
  expect(germany).toEqual(expect.arrayContaining(["2027-03-26", "2027-12-25", "2028-04-14"]));
  // Not a public one, and one of some regions only.
  expect(germany.filter((date) => /^2027-(12-24|05-27)$/.test(date))).toEqual([]);
  const bavaria = await datesOf("?country=DE&region=BY&from=2027&to=2027");
  expect(bavaria).toContain("2027-05-27");
  expect(bavaria).toEqual(bavaria.toSorted());
  const turkey = await datesOf("?country=TR&from=2027&to=2027");
  expect(turkey).toEqual(expect.arrayContaining(["2027-05-16", "2027-05-17", "2027-05-18", "2027-05-19"]));
});

test("they can be the holidays of a timeline", async () => {
  const scene = await setScene(app);
  const holidays = await datesOf("?country=FR&from=2027&to=2036");
  expect((await scene.setTimeline({ holidays })).holidays).toEqual(holidays);
});

test("their place stays with a timeline, and changes no forecast", async () => {
  const scene = await setScene(app);
  const germany = { country: "DE", region: null };
  const bavaria = { country: "DE", region: "BY" };
  const place = async () => (await scene.timeline()).holidayPlace;
  await scene.setTimeline({ startDate: "2027-01-04" });
  const { forecast } = await scene.addMilestone({ title: "Beta", dueDate: "2027-03-01" });
  expect((await scene.setTimeline({ holidayPlace: germany })).holidayPlace).toEqual(germany);
  const [milestone] = await scene.milestones();
  expect([milestone?.forecast, forecast === null]).toEqual([forecast, false]);
  for (const [holidayPlace, path] of [
    [{ country: "Germany", region: null }, "/holidayPlace/country"],
    [{ country: "DE", region: "?" }, "/holidayPlace/region"],
    [{ country: "DE" }, "/holidayPlace/region"],
  ] as const) {
    const refused = await scene.send("PUT", "/timeline", { holidayPlace });
    expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([400, path]);
  }
  await scene.setTimeline({ hoursPerDay: 6 });
  expect(await place()).toEqual(germany);

  const { estimation } = await scene.expect("POST", "/duplicate");
  const copied = await app.request("GET", `/api/estimations/${estimation?.id}/timeline`, { token: scene.user.token });
  expect(copied.data.timeline?.holidayPlace).toEqual(germany);

  // In another thread it changes, in this one something else; merged, both are changed.
  const { version } = await scene.expect("POST", "/versions", { label: "Germany" });
  const main = (await scene.expect("GET", "/threads")).threads?.[0]?.id;
  const { thread } = await scene.expect("POST", "/threads", { title: "South", baseVersionId: version?.id });
  await scene.expect("POST", `/threads/${thread?.id}/switch`);
  await scene.setTimeline({ holidayPlace: bavaria });
  await scene.expect("POST", `/threads/${main}/switch`);
  expect(await place()).toEqual(germany);
  await scene.setTimeline({ hoursPerDay: 7 });
  await scene.expect("POST", `/threads/${thread?.id}/merge`, { into: main });
  expect(await scene.timeline()).toMatchObject({ holidayPlace: bavaria, hoursPerDay: 7 });
  await scene.expect("POST", `/versions/${version?.id}/restore`);
  expect(await place()).toEqual(germany);
  expect((await scene.setTimeline({ holidayPlace: null })).holidayPlace).toBeNull();
});

test.each([
  ["?country=XX&from=2027&to=2027", "/country"],
  ["?country=DE&region=ZZ&from=2027&to=2027", "/region"],
  ["?country=DE&from=2027&to=2026", "/to"],
  ["?country=DE&from=2027&to=2037", "/to"],
])("%s is refused", async (query, path) => {
  const { status, body } = await get(query);
  expect(status).toBe(400);
  expect(body.errors).toMatchObject([{ in: "query", path }]);
});
