import type { FinishedTask } from "./evidence.ts";
import { levelAt } from "./levels.ts";
import { scrubbedStart } from "./scrub.ts";
import type { Basis, Part } from "./suggest.ts";

/** Options that a language model is asked about, the largest; the others keep what finished tasks say. */
const OPTIONS_MOST = 30;
/** Similar finished tasks that it gets as examples with their hours, and that it is asked about to compare. */
const [EXAMPLES_MOST, COMPARED_MOST] = [12, 10];
/** Code points of a title, a description and a role that are sent. */
const [TITLE_MOST, DESCRIPTION_MOST, ROLE_MOST] = [200, 500, 60];

/** A piece of work as it is sent: without anything that says who or where. */
export interface SentWork {
  readonly title: string;
  readonly description: string;
  readonly role: string | null;
  readonly estimatedHours: number | null;
}

/** What is sent. The response gives the median hours of every item by its number. */
export interface ModelQuestion {
  readonly examples: readonly (SentWork & { readonly actualHours: number })[];
  readonly items: readonly (SentWork & { readonly item: number })[];
}

/** A question with what is needed to make use of the response. */
export interface AskedModel {
  readonly question: ModelQuestion;
  /** The options that were asked about, in the order of their items. */
  readonly options: readonly Part[];
  /** The actual hours of the finished tasks that were asked about; their items follow those of the options. */
  readonly compared: readonly number[];
}

/** Returns the similar finished tasks whose texts a question needs, at most. */
export const analogsAsked = ({ analogs }: Basis) => analogs.slice(0, EXAMPLES_MOST + COMPARED_MOST);

/**
 * Makes the question from the largest options and the most similar finished tasks. Every second task is an example; the
 * others are asked about as if they were open, so that the response can be compared with what they took. The model cannot
 * tell them from the options.
 */
export function askAbout(
  { parts }: Basis,
  tasks: readonly FinishedTask[],
  scrub: (text: string) => string,
): AskedModel {
  const sent = (work: Omit<FinishedTask, "id" | "actualHours" | "estimatedHours">, estimatedHours: number | null) => ({
    title: scrubbedStart(work.title, TITLE_MOST, scrub),
    description: scrubbedStart(work.description, DESCRIPTION_MOST, scrub),
    role: work.role === null ? null : scrubbedStart(work.role, ROLE_MOST, scrub),
    estimatedHours: estimatedHours === null ? null : rounded(estimatedHours),
  });
  const examples = tasks.filter((_, at) => at % 2 === 0).slice(0, EXAMPLES_MOST);
  const compared = tasks.filter((_, at) => at % 2 === 1).slice(0, COMPARED_MOST);
  const medianOf = ({ hours }: Part) => levelAt(hours, 0.5);
  const options = [...parts].sort((a, b) => medianOf(b) - medianOf(a)).slice(0, OPTIONS_MOST);
  const items = [
    ...options.map(({ work }) => sent(work, work.hours)),
    ...compared.map((task) => sent(task, task.estimatedHours)),
  ];
  return {
    question: {
      examples: examples.map((task) => ({
        ...sent(task, task.estimatedHours),
        actualHours: rounded(task.actualHours),
      })),
      items: items.map((item, at) => ({ item: at + 1, ...item })),
    },
    options,
    compared: compared.map(({ actualHours }) => actualHours),
  };
}

const rounded = (hours: number): number => Math.round(hours * 100) / 100;
