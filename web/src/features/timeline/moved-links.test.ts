import { describe, expect, it } from "vitest";
import type { Dependency, Timeline } from "../../../../contract/endpoints/timelines.ts";
import { defaultSettings } from "../../../../domain/timeline/settings.ts";
import { movedLinks } from "./moved-links.ts";

const item = (taskId: string, start: string, end: string) => ({
  ...{ taskId, start: `2027-01-${start}:00.000Z`, end: `2027-01-${end}:00.000Z`, critical: false, slackHours: 0 },
});
const link = (from: string, type: Dependency["type"], lagHours = 0): Dependency => ({ from, to: "c", type, lagHours });
/** Monday the 4th to Wednesday; `c` starts on Thursday the 7th. */
const timeline = (...dependencies: Dependency[]): Timeline => ({
  ...defaultSettings,
  ...{
    startDate: "2027-01-04",
    asOf: "2027-01-01T00:00:00.000Z",
    assumed: [],
    unused: [],
    problem: null,
    dependencies,
  },
  items: [item("a", "04T09:00", "06T17:00"), item("b", "04T09:00", "05T13:00"), item("c", "07T09:00", "08T17:00")],
});

describe("a bar that is moved", () => {
  it("later: it waits longer for what ends last, counted in working hours", () => {
    const [a, b] = [link("a", "finish_to_start"), link("b", "finish_to_start")];
    expect(movedLinks(timeline(a, b), "c", 1)).toEqual({ before: [a], after: [{ ...a, lagHours: 8 }] });
    // Over a weekend.
    expect(movedLinks(timeline(a, b), "c", 7)?.after).toEqual([{ ...a, lagHours: 40 }]);
    expect(movedLinks(timeline(a, b), "c", 2)?.after).toEqual(movedLinks(timeline(a, b), "c", 3)?.after);
  });

  it("earlier: all that would hold it wait less, and none less than nothing", () => {
    const [a, b] = [link("a", "start_to_start", 24), link("b", "finish_to_start", 12)];
    expect(movedLinks(timeline(a, b), "c", -1)).toEqual({
      before: [a, b],
      after: [
        { ...a, lagHours: 16 },
        { ...b, lagHours: 4 },
      ],
    });
    expect(movedLinks(timeline(a, b), "c", -30)?.after.map(({ lagHours }) => lagHours)).toEqual([0, 0]);
  });

  it("not into the past: it waits no less than until now", () => {
    const a = link("a", "start_to_start", 24);
    const asOf = (hour: string): Timeline => ({ ...timeline(a), asOf: `2027-01-${hour}:00:00.000Z` });
    expect(movedLinks(asOf("07T09"), "c", -1)).toBeNull();
    expect(movedLinks(asOf("06T13"), "c", -1)?.after).toEqual([{ ...a, lagHours: 20 }]);
  });

  it("over a change of the clock to the same time of the day in the zone of the timeline", () => {
    const a = link("a", "finish_to_start", 40);
    const at = (taskId: string, start: string, end: string) => ({ taskId, start, end, critical: false, slackHours: 0 });
    const berlin = (start: string): Timeline => ({
      ...timeline(a),
      ...{ startDate: "2027-03-22", timeZone: "Europe/Berlin" },
      items: [
        at("a", "2027-03-22T08:00:00.000Z", "2027-03-24T16:00:00.000Z"),
        at("c", start, "2027-04-09T15:00:00.000Z"),
      ],
    });
    const lag = (start: string, days: number) => movedLinks(berlin(start), "c", days)?.after[0]?.lagHours;
    // Summer time begins on 28 March: nine o'clock is 8:00 before, and 7:00 after.
    expect(
      movedLinks({ ...berlin("2027-03-25T08:00:00.000Z"), dependencies: [{ ...a, lagHours: 0 }] }, "c", 7)?.after,
    ).toEqual([a]);
    expect(lag("2027-04-01T07:00:00.000Z", -7)).toBe(0);
    // From a Monday to the Friday before it.
    expect(lag("2027-03-29T07:00:00.000Z", -3)).toBe(8);
  });

  it("not at all where no link would make a difference", () => {
    expect(movedLinks(timeline(link("a", "finish_to_start")), "c", -1)).toBeNull();
    expect(movedLinks(timeline(link("a", "finish_to_finish")), "c", 1)).toBeNull();
    expect(movedLinks(timeline(), "c", 1)).toBeNull();
    // It starts when its people are free.
    expect(movedLinks(timeline(link("b", "finish_to_start", 1)), "c", -1)).toBeNull();
  });
});
