import { expect, test } from "vitest";
import { setJiraStage } from "./testing/stage.ts";

const { fake, call, estimate } = await setJiraStage();
const { site } = fake;
const usual = site.transitions;

interface Node {
  readonly options: readonly object[];
}

/** An exported estimation whose last option is obsolete, and a function that closes its issue. */
async function withObsolete() {
  const made = await estimate([2], { submits: false });
  await made.exported();
  const { nodes } = (await call("GET", `${made.path}/tree`)).data.tree as unknown as { nodes: Node[] };
  const less = nodes.map((node) => ({ ...node, options: node.options.slice(0, 1) }));
  await call("PUT", `${made.path}/tree`, { nodes: less });
  await call("POST", `${made.path}/tasks/generate`);
  const { id, items } = await made.exported();
  expect(items.map(({ outcome }) => outcome)).toEqual(["unchanged", "unchanged", "obsolete"]);
  const close = async () => {
    const { data } = await call("POST", `${made.path}/exports/${id}/close-obsolete`);
    const exportId = String(data.export?.id);
    await made.finish(exportId);
    return (await made.items(exportId))[0];
  };
  const issue = site.issues.find(({ summary }) => summary.endsWith("Part 1.2"));
  if (!issue) throw new Error("It was not exported.");
  return { ...made, close, issue };
}

test("an issue of an obsolete task is closed with a comment and a resolution that says so, once", async () => {
  const { close, issue, exported, tasks } = await withObsolete();
  expect(await close()).toMatchObject({ outcome: "closed", url: expect.stringContaining(issue.key) });
  expect([issue.doneAt, issue.resolution.name]).toEqual([expect.any(Date), "Won't Do"]);
  expect(issue.comments).toHaveLength(1);
  expect(JSON.stringify(issue.comments)).toContain('"text":"Shop","marks":[{"type":"link"');
  expect((await tasks()).find(({ title }) => title === "Part 1.2")?.droppedAt).not.toBeNull();
  expect(await close()).toMatchObject({ outcome: "unchanged" });
  expect((await exported()).run.progress).toMatchObject({ total: 2 });
  expect(issue.comments).toHaveLength(1);
});

test.each([
  ["/comment", /issue\/\{issueIdOrKey\}\/comment$/],
  ["/transitions", /issue\/\{issueIdOrKey\}\/transitions$/],
])("it gets no second comment where the response to POST %s is lost", async (_, path) => {
  const { close, issue } = await withObsolete();
  fake.faults.next("reset_after", new RegExp(`^POST .*${path.source}`));
  expect(await close()).toMatchObject({ outcome: "closed" });
  expect([issue.doneAt, issue.comments.length]).toEqual([expect.any(Date), 1]);
});

test("where the workflow asks for more, or the token may not, the issue stays as it is, with the reason", async () => {
  const { close, issue } = await withObsolete();
  const resolution = { required: false, allowed: site.resolutions };
  site.transitions = [
    { id: "31", to: "Done", isDone: true, fields: { resolution, customfield_1: { required: true } } },
    { id: "41", to: "In Review", isDone: false, fields: {} },
  ];
  const reason = /no way to a status of the category Done that needs no further input/;
  expect(await close()).toMatchObject({ outcome: "failed", reason: expect.stringMatching(reason) });
  site.transitions = usual;
  site.settings.permissions.delete("TRANSITION_ISSUES");
  expect(await close()).toMatchObject({ outcome: "failed", reason: expect.stringMatching(reason) });
  site.settings.permissions.add("TRANSITION_ISSUES");
  expect([issue.doneAt, issue.comments]).toEqual([null, []]);
  site.transitions = [
    { id: "31", to: "Done", isDone: true, fields: {} },
    { id: "51", to: "Cancelled", isDone: true, fields: {} },
  ];
  expect(await close()).toMatchObject({ outcome: "closed" });
  expect(fake.requests.at(-1)?.body.toString()).toContain('"51"');
  site.transitions = usual;
});
