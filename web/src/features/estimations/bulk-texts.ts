import { formatCount, many } from "../../ui/numbers/format.ts";

const estimations = (count: number) => many(count, "estimation", "estimations");

/** Names the first of many. */
const named = (titles: readonly string[]) => {
  const rest = titles.length - 10;
  return rest > 1 ? `${titles.slice(0, 10).join(", ")} and ${formatCount(rest)} more` : titles.join(", ");
};

/** Texts of what is done with several estimations. */
export const bulkTexts = {
  progress: "Progress",
  of: (decided: number, all: number) => `${formatCount(decided)} of ${formatCount(all)}`,
  failed: (count: number, all: number) => `${formatCount(count)} of ${formatCount(all)} failed.`,
  because: (reason: string, titles: readonly string[]) => `${named(titles)}: ${reason}`,
  left: (count: number) => `${estimations(count)} left.`,
  stopped: (count: number) => `Stopped, with ${estimations(count)} left.`,
  goOn: "Go on",

  share: "Share",
  shareTitle: (count: number) => `Share ${estimations(count)}`,
  shareOwn: "Only the owner of an estimation can share it.",
  notYours: (count: number, all: number, titles: readonly string[]) =>
    `${formatCount(count)} of ${formatCount(all)} ${count === 1 ? "is" : "are"} not yours to share: ${named(titles)}.`,
  with: "Share with",
  person: "A person",
  address: "Person",
  addressHint: "An e-mail address, or part of the name of someone here",
  permission: "Permission",
  changeTitle: (count: number) => `Change the permission of ${estimations(count)}?`,
  changeText: (whom: string, now: readonly string[], next: string) =>
    `${whom} has access or an invitation already: ${named(now)}. This makes it “${next}”.`,
  now: (title: string, permission: string) => `${title} (${permission})`,
  change: "Change permission",
  shared: (count: number, whom: string) => `${estimations(count)} shared with ${whom}.`,

  download: "Download",
  downloaded: (count: number) => `${estimations(count)} downloaded.`,
  archive: (day: string) => `Estimations ${day}.zip`,
} as const;
