import { formatCount, formatExactHours, formatPercent, many } from "../../ui/numbers/format.ts";

const tasks = (count: number) => many(count, "task", "tasks");
/** A factor, with one decimal where that says enough. */
export const formatFactor = (factor: number): string =>
  formatExactHours(Math.abs(factor - 1) < 0.1 ? factor : Math.round(factor * 10) / 10);
const between = (low: string, high: string) => `${low} to ${high}`;

/** Texts of the page that compares estimates with what the work took. */
export const accuracyTexts = {
  title: "Accuracy",
  intro:
    "How your estimates compare with the hours the work took: finished tasks of your estimations, of those you changed, and of those shared with your teams.",
  emptyTitle: "Nothing to compare yet",
  empty:
    "Enter actual hours for tasks that are done. From 6 tasks on this page says how far off the hours were, from 10 on how far off the ranges.",
  emptyAction: "Estimations",
  cut: (count: number) => `Only your newest ${formatCount(count)} finished tasks are compared.`,

  ranges: {
    narrow: (held: number, count: number, factor: number) =>
      `Your ${formatPercent(0.8)} ranges held ${formatPercent(held / count)} of ${tasks(count)}: widen them by ${formatFactor(factor)}.`,
    wide: (held: number, count: number, factor: number) =>
      `Your ${formatPercent(0.8)} ranges held ${formatPercent(held / count)} of ${tasks(count)}: ${formatFactor(factor)} times their width would do.`,
    right: (held: number, count: number) =>
      `Your ${formatPercent(0.8)} ranges held ${formatPercent(held / count)} of ${tasks(count)}: nothing says they are wrong.`,
    unknown: (count: number, least: number) =>
      `Too few tasks to judge your ranges: ${formatCount(count)} of the ${formatCount(least)} that it takes.`,
    chance: (low: number, high: number) =>
      `With so many tasks the true share is ${between(formatPercent(low), formatPercent(high))}, with ${formatPercent(0.95)} certainty.`,
    what: "A range goes from the P10 to the P90 of a task, so 8 of 10 tasks should be within it. It counts only tasks whose Low and High differ.",
  },
  hours: {
    longer: (median: number, count: number) =>
      `The work took longer than estimated: ${formatFactor(median)} times the hours, as the median of ${tasks(count)}.`,
    shorter: (median: number, count: number) =>
      `The work took less than estimated: ${formatFactor(median)} times the hours, as the median of ${tasks(count)}.`,
    right: (median: number, count: number) =>
      `The work took ${formatFactor(median)} times the estimated hours, as the median of ${tasks(count)}: nothing says the hours are wrong.`,
    unknown: (count: number) => `Too few tasks to judge your hours: ${formatCount(count)} of the 6 that it takes.`,
    chance: (low: number, high: number) =>
      `The true median is ${between(formatFactor(low), formatFactor(high))}, with ${formatPercent(0.95)} certainty.`,
  },

  reliability: {
    title: "What ranges say, and what happened",
    how: "On the line, ranges are right. Below it, fewer tasks were done in time than their ranges said. Bars are where the true share lies, with 95% certainty.",
    none: "This picture needs 10 finished tasks with a range.",
    x: "Said to be likely",
    y: "Done in time",
    columns: ["Said to be likely", "Done in time", "True share, 95% certain"],
  },
  months: {
    title: "Actual by estimated hours, over time",
    how: "Each point is the median of a month, its bar where the true median lies, with 95% certainty. At 1 the work took as long as estimated.",
    none: "No month has the 6 finished tasks that it takes to say something.",
    few: (count: number) =>
      `${many(count, "month has", "months have")} fewer than 6 tasks and ${count === 1 ? "isn’t" : "aren’t"} drawn.`,
    columns: ["Month", "Tasks", "Actual ÷ estimated", "True median, 95% certain"],
  },
  roles: {
    title: "By role",
    none: "No role",
    columns: {
      role: "Role",
      count: "Tasks",
      ratio: "Actual ÷ estimated",
      held: "Within the range",
      advice: "Ranges",
    },
    advice: {
      narrow: (factor: number) => `Widen by ${formatFactor(factor)}`,
      wide: (factor: number) => `${formatFactor(factor)} times the width would do`,
      right: "Fine so far",
      unknown: "Too few tasks",
    },
    of: (held: number, count: number) => `${formatPercent(held / count)} of ${formatCount(count)}`,
  },
  calibration: {
    title: "Your estimates in rounds",
    intro: "Only you can see this.",
  },
  asTable: "As a table",
  between,
  unknown: "Too few tasks",
} as const;
