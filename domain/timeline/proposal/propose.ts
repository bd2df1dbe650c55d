import type { Proposal } from "../../../contract/endpoints/milestones.ts";
import { roundHundredth } from "../../tree/hours/round.ts";
import { readWork, type SchedulingText } from "../scheduling.ts";
import { findPeople } from "./people.ts";
import { findScope } from "./scope.ts";
import { createTrials, isReached, type Outcome, TARGET } from "./trials.ts";

/** What a proposal is made for. */
export interface ProposalInput {
  readonly text: SchedulingText;
  readonly milestoneId: string;
}

/**
 * Returns what it would take to reach a milestone: people, or options to leave out. Both are null if it is reached already, if
 * nothing can be scheduled, and if nothing helps. `seedOf` is as in `milestonesOf`.
 */
export function propose({ text, milestoneId }: ProposalInput, seedOf: (input: string) => readonly number[]): Proposal {
  const trials = createTrials(readWork(text), milestoneId, seedOf);
  const now = trials?.outcomeOf({}) ?? null;
  const nothing = { target: TARGET, now: null, people: null, scope: null, forecasts: 0, runs: 0 };
  if (!trials || !now) return nothing;
  const isEnough = now.probability >= TARGET;
  const people = isEnough ? null : findPeople(trials, now, Math.floor(trials.left() / 2));
  const scope = isEnough ? null : findScope(trials, now);
  return {
    target: TARGET,
    now: shown(now),
    people: people && { people: people.people, added: [...people.added], ...resultOf(people.outcome) },
    scope: scope && {
      options: scope.options.map(({ node, option, instead, hours, outcome, isNeeded }) => ({
        nodeId: node.id,
        optionId: option.id,
        insteadId: instead?.id ?? null,
        hours: roundHundredth(hours),
        ...shown(outcome),
        isNeeded,
      })),
      ...resultOf(scope.outcome),
    },
    forecasts: trials.made(),
    runs: trials.runs,
  };
}

const shown = ({ probability, standardError, p80 }: Outcome) => ({ probability, standardError, p80: p80 || null });
const resultOf = (outcome: Outcome) => ({ ...shown(outcome), isReached: isReached(outcome) });
