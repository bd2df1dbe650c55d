import { useQuery } from "@tanstack/react-query";
import { milestonesQuery, openTasksQuery, timelineQuery } from "../timeline/queries.ts";
import type { Part } from "./parts.ts";

/** Loads what is done when, unless it is left out. */
export function useWork(id: string, without: ReadonlySet<Part>) {
  const hasTasks = !without.has("tasks");
  const milestones = useQuery({ ...milestonesQuery(id), enabled: !without.has("milestones") });
  const tasks = useQuery({ ...openTasksQuery(id), enabled: hasTasks });
  const timeline = useQuery({ ...timelineQuery(id), enabled: hasTasks });
  const isLoading = [milestones, tasks, timeline].some((query) => query.isLoading);
  return { milestones, tasks, timeline, isLoading };
}

/** The tasks and milestones of an estimation. */
export type Work = ReturnType<typeof useWork>;
