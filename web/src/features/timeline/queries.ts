import { queryOptions } from "@tanstack/react-query";
import type { Timeline } from "../../../../contract/endpoints/timelines.ts";
import { limits } from "../../../../contract/limits.ts";
import { freshIfAhead } from "../../api/ahead.ts";
import { api } from "../../api/client.ts";
import { keys } from "../../api/keys.ts";
import type { ShownTask } from "./rows.ts";

export const timelineQuery = (id: string) =>
  queryOptions({
    queryKey: keys.timeline(id),
    staleTime: freshIfAhead,
    queryFn: async () => (await api.getTimeline({ params: { id } })).data.timeline,
  });

export const milestonesQuery = (id: string) =>
  queryOptions({
    queryKey: keys.milestones(id),
    staleTime: freshIfAhead,
    queryFn: async () => {
      const query = { limit: limits.pageSizeInside };
      return (await api.listMilestones({ params: { id }, query })).data.milestones;
    },
  });

/** All open tasks of an estimation, in order. */
export const openTasksQuery = (id: string) =>
  queryOptions({
    queryKey: keys.openTasks(id),
    staleTime: freshIfAhead,
    queryFn: async () => {
      const all: ShownTask[] = [];
      let cursor: string | undefined;
      do {
        const query = { status: ["open" as const], limit: limits.pageSizeInside, cursor };
        const { data } = await api.listTasks({ params: { id }, query });
        all.push(...data.tasks);
        cursor = data.nextCursor ?? undefined;
      } while (cursor !== undefined);
      return all;
    },
  });

/** The version that was submitted last, of the newest; null if there is none. */
export const submittedQuery = (id: string) =>
  queryOptions({
    queryKey: keys.submittedVersion(id),
    queryFn: async () => {
      const query = { limit: limits.pageSizeInside };
      const { versions } = (await api.listVersions({ params: { id }, query })).data;
      return versions.find(({ cause }) => cause === "submit") ?? null;
    },
  });

/** When each task was to be worked on in a version. The rule with its time zones is large: only for those who compare. */
export const baselineQuery = (id: string, versionId: string) =>
  queryOptions({
    queryKey: keys.baseline(id, versionId),
    queryFn: async () => {
      const [{ version }, { baselineOf }] = await Promise.all([
        api.getVersion({ params: { id, versionId } }).then(({ data }) => data),
        import("./baseline.ts"),
      ]);
      return baselineOf(version);
    },
  });

/** What the days off of a timeline are called, by date: those that are public holidays of its place. */
export const holidayNamesQuery = ({ holidayPlace: place, holidays }: Pick<Timeline, "holidayPlace" | "holidays">) => {
  const years = holidays.map((date) => Number(date.slice(0, 4)));
  const from = Math.min(...years);
  const to = Math.min(Math.max(...years), from + limits.holidayYears - 1);
  return queryOptions({
    queryKey: keys.holidayNames(`${place?.country} ${place?.region} ${from} ${to}`),
    enabled: place !== null && years.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: async () => {
      const query = { country: place?.country ?? "", region: place?.region ?? undefined, from, to };
      const { holidays: named } = (await api.listHolidays({ query })).data;
      const names = new Map<string, Set<string>>();
      for (const { date, name } of named) names.set(date, (names.get(date) ?? new Set()).add(name));
      return new Map([...names].map(([date, all]) => [date, [...all].join(", ")]));
    },
  });
};

export const countriesQuery = queryOptions({
  queryKey: keys.holidayCountries,
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async () => (await api.listHolidayCountries({})).data.countries,
});
