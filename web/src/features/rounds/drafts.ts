import { keepText, keptText } from "../../api/kept-texts.ts";

/** What was typed for an option and not saved. */
interface Draft {
  readonly optionId: string;
  readonly range: string;
  readonly why: string;
}

/** The names under which the range and the reason are kept while they are typed. */
export const draftNames = (roundId: string, optionId: string) => ({
  range: `round-range ${roundId} ${optionId}`,
  why: `round-why ${roundId} ${optionId}`,
});

/** Returns what a user typed in a round in this tab and did not save. */
export const readDrafts = (
  userId: string,
  roundId: string,
  optionIds: readonly string[],
  said: ReadonlyMap<string, { readonly hours: object | null }>,
): readonly Draft[] =>
  optionIds.flatMap((optionId) => {
    const names = draftNames(roundId, optionId);
    const [range, why] = [keptText(userId, names.range), keptText(userId, names.why)];
    // With a skip the service takes no reason: it only stays for a range that may follow.
    const isOfSkip = said.get(optionId)?.hours === null && range === "";
    return (range === "" && why === "") || isOfSkip ? [] : [{ optionId, range, why }];
  });

/** Removes all that a user typed in a round. */
export function dropDrafts(userId: string, roundId: string, optionIds: readonly string[]): void {
  for (const optionId of optionIds)
    for (const name of Object.values(draftNames(roundId, optionId))) keepText(userId, name, "");
}
