import type { Amount, ShownOption, ShownQuestion } from "../../../../contract/values/proposal.ts";

/** The options that are chosen, by their ids. */
export type Chosen = ReadonlySet<string>;

/** Visits every option that can be chosen. */
function visit(questions: readonly ShownQuestion[], each: (option: ShownOption) => void): void {
  for (const question of questions) {
    for (const option of question.options) {
      if (option.amount !== null) each(option);
      visit(option.questions, each);
    }
  }
}

/** Returns what is chosen when the page opens. */
export function chosenIn(questions: readonly ShownQuestion[], ids = new Set<string>()): Chosen {
  for (const { id, selected, questions: below } of questions.flatMap(({ options }) => options)) {
    if (selected) ids.add(id);
    chosenIn(below, ids);
  }
  return ids;
}

/** Returns by what a choice differs from what was published. */
export function differenceOf(questions: readonly ShownQuestion[], chosen: Chosen) {
  const [select, deselect]: [string[], string[]] = [[], []];
  visit(questions, ({ id, selected }) => {
    if (chosen.has(id) === selected) return;
    (selected ? deselect : select).push(id);
  });
  return { select, deselect };
}

/** Returns a choice with an option of a question chosen or not; a `single` question has one answer, or none (null). */
export function withOption(chosen: Chosen, question: ShownQuestion, id: string | null, isChosen: boolean): Chosen {
  const next = new Set(chosen);
  if (question.kind === "single") for (const option of question.options) next.delete(option.id);
  if (id !== null) {
    if (isChosen) next.add(id);
    else next.delete(id);
  }
  return next;
}

const counts = (question: ShownQuestion, { id }: ShownOption, chosen: Chosen): boolean =>
  question.kind === "group" || chosen.has(id);

/** Returns what an option adds with everything that is chosen below it. */
function added({ amount, questions }: ShownOption, chosen: Chosen): number {
  const below = questions.flatMap((question) =>
    question.options.filter((option) => counts(question, option, chosen)).map((option) => added(option, chosen)),
  );
  return below.reduce((left, right) => left + right, amount?.figure ?? 0);
}

/** Returns by how much the total would differ with an option: in a `single` question instead of what is chosen there. */
export function differenceWith(question: ShownQuestion, option: ShownOption, chosen: Chosen): number {
  const own = added(option, chosen);
  if (question.kind !== "single") return own;
  const current = question.options.find(({ id }) => chosen.has(id));
  return own - (current ? added(current, chosen) : 0);
}

/** Where the figure is between the ends of its range, from 0 to 1. */
export const placeOf = ({ figure, low, high }: Amount): number =>
  low === null || high === null || high === low ? 0.5 : (figure - low) / (high - low);
