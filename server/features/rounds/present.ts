import type { AdoptedHours, Round, RoundOption, RoundResult } from "../../../contract/values/round.ts";
import { type Answer, answerAt, partOf } from "../../../domain/rounds/answers.ts";
import type { Queryable } from "../../db/database.ts";
import type { ShownAdopted } from "./adopted-store.ts";
import type { EstimateRow, OptionRow, ShownEstimate } from "./estimate-store.ts";
import { listOwn, listParticipants, type ParticipantRow, type ShownParticipant } from "./participant-store.ts";
import type { ShownRound } from "./store.ts";

/** Who reads a round. */
interface Reader {
  readonly userId: string;
  /** Whether the reader may see the addresses that were invited. */
  readonly seesAddresses: boolean;
}

const presentParticipant = (
  { userId, name, email }: ShownParticipant,
  { seesAddresses }: Reader,
): Round["participants"][number] => ({
  user: userId === null ? null : { id: userId, name: name ?? "" },
  email: seesAddresses ? email : null,
});

function presentRound(
  row: ShownRound,
  participants: readonly ShownParticipant[],
  own: ParticipantRow | undefined,
  reader: Reader,
): Round {
  const isOpen = row.status === "open";
  return {
    id: row.id,
    estimationId: row.estimationId,
    estimationTitle: row.estimationTitle,
    number: row.number,
    title: row.title,
    status: row.status,
    anonymous: row.anonymous,
    deadline: row.deadline?.toISOString() ?? null,
    version: { id: row.versionId, number: row.versionNumber },
    repeats:
      row.repeatsId !== null && row.repeatsNumber !== null ? { id: row.repeatsId, number: row.repeatsNumber } : null,
    openedBy: { id: row.openerId, name: row.openerName },
    participants: participants.map((one) => presentParticipant(one, reader)),
    optionIds: row.optionIds,
    answered: isOpen ? row.done : row.answered,
    you: isOpen && own ? partOf(own.answers ?? [], row.optionIds.length) : null,
    openedAt: row.openedAt.toISOString(),
    revealedAt: row.revealedAt?.toISOString() ?? null,
    closedAt: row.closedAt?.toISOString() ?? null,
  };
}

/** Returns rounds as the API shows them to a reader. */
export async function presentRounds(db: Queryable, rows: readonly ShownRound[], reader: Reader): Promise<Round[]> {
  const all = await listParticipants(
    db,
    rows.map(({ id }) => id),
  );
  const participants = Map.groupBy(all, ({ roundId }) => roundId);
  const open = rows.filter(({ status }) => status === "open").map(({ id }) => id);
  const own = new Map((await listOwn(db, open, reader.userId)).map((row) => [row.roundId, row]));
  return rows.map((row) => presentRound(row, participants.get(row.id) ?? [], own.get(row.id), reader));
}

const pointsOf = ({ optimistic, likely, pessimistic }: Pick<EstimateRow, "optimistic" | "likely" | "pessimistic">) => ({
  ...{ optimistic, likely, pessimistic },
});

const presentEstimate = (row: ShownEstimate): RoundResult["estimates"][number] => ({
  id: row.id,
  person: row.userId === null ? null : { id: row.userId, name: row.name ?? "" },
  ...pointsOf(row),
  note: row.note,
  isOutlier: row.isOutlier,
});

/** What somebody reads of the options of a round: their own answers while it is open, and afterwards the estimates. */
interface Seen {
  readonly userId: string;
  readonly own: ParticipantRow | undefined;
  readonly estimates: ReadonlyMap<string, readonly ShownEstimate[]>;
}

/** Returns an option of a round as the API shows it. */
export function presentOption(
  { optionId, position, label, summary }: OptionRow,
  { userId, own, estimates }: Seen,
): RoundOption {
  const shown = estimates.get(optionId) ?? [];
  return {
    optionId,
    ...label,
    yours: yoursOf(
      answerAt(own?.answers ?? [], position),
      shown.find((one) => one.userId === userId),
    ),
    result: summary && { ...summary, estimates: shown.map(presentEstimate) },
  };
}

function yoursOf(answer: Answer | undefined, shown: ShownEstimate | undefined): RoundOption["yours"] {
  if (answer) return { hours: pointsOf(answer), note: answer.note };
  if (answer === null) return { hours: null, note: null };
  return shown ? { hours: pointsOf(shown), note: shown.note } : null;
}

/** Returns where hours of an option are from, as the API shows it. */
export const presentAdopted = (row: ShownAdopted): AdoptedHours => ({
  optionId: row.optionId,
  round: { id: row.roundId, number: row.number, title: row.title },
  from: row.from,
  hours: row.hours,
  people: row.people,
  agreement: row.agreement,
  person: { id: row.userId, name: row.name },
  adoptedAt: row.adoptedAt.toISOString(),
});
