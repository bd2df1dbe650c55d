import { may } from "../../../domain/access.ts";
import type { Queryable } from "../../db/database.ts";
import { type AddressedLetter, type MailRow, writeMail } from "../../jobs/mail.ts";
import { defineMail, requestMail } from "../../jobs/mail-store.ts";
import { oneLine } from "../../platform/letter.ts";
import type { Services } from "../../services/index.ts";
import { countsAsVerified, findUser, normalizeEmail } from "../auth/index.ts";
import { levelOf, webPages } from "../estimations/index.ts";
import { findOwn, markMailed } from "./participant-store.ts";
import { readRounds, type ShownRound } from "./store.ts";

/** A round, and who is told of it. */
interface Facts {
  readonly roundId: string;
  readonly userId: string;
}

const askedMail = defineMail<Facts>("round-asked");
const dueMail = defineMail<Facts>("round-due");
const revealedMail = defineMail<Facts>("round-revealed");

/** Who is told of a round. */
interface Told {
  readonly roundId: string;
  readonly userIds: readonly string[];
  readonly now: Date;
}

const requestAll =
  (kind: typeof askedMail) =>
  async (tx: Queryable, { roundId, userIds, now }: Told): Promise<void> => {
    for (const userId of userIds)
      await requestMail(tx, kind, { roundId, userId }, now, { cause: `${roundId} ${userId}` });
  };

/** Requests the mails to those who are asked in a new round, except to its opener, and to who was asked very often within the last day. */
export async function requestAsked(
  tx: Queryable,
  { roundId, openerId, now }: { readonly roundId: string; readonly openerId: string; readonly now: Date },
): Promise<void> {
  const mailed = await markMailed(tx, { roundId, openerId, now });
  await requestAll(askedMail)(tx, { roundId, userIds: mailed.filter((id) => id !== openerId), now });
}

/** Requests the mails to those who have not answered a day before the deadline, and are mailed about the round. */
export const requestDue = requestAll(dueMail);

/** Requests the mails to those who were asked in a round that is revealed, and are mailed about it. */
export const requestRevealed = requestAll(revealedMail);

/** Writes the mails about rounds, to people with verified addresses who may read the estimation. None says what anybody estimated. */
export const roundMails = ({ config, pool }: Services): MailRow[] => {
  const write =
    (
      letterOf: (round: ShownRound, userId: string) => Promise<Pick<AddressedLetter, "subject" | "paragraphs"> | null>,
    ) =>
    async ({ roundId, userId }: Facts): Promise<AddressedLetter | null> => {
      const [round] = await readRounds(pool, [roundId]);
      const reader = await findUser(pool, userId);
      // What is no address belongs to an account that nobody uses.
      if (!round || !reader || reader.disabledAt || normalizeEmail(reader.email) === null) return null;
      if (!countsAsVerified(reader, config)) return null;
      if (may(await levelOf(pool, round.estimationId, userId), "read") !== "allowed") return null;
      const letter = await letterOf(round, userId);
      if (letter === null) return null;
      const url = webPages.round(config.webUrl, round.estimationId, round.id);
      return { to: reader.email, name: reader.name, link: { label: "Open the round", url }, ...letter };
    };
  const waits = async ({ id: roundId, estimationId }: ShownRound, userId: string) =>
    (await findOwn(pool, { roundId, estimationId, userId }))?.waits ?? false;
  const titleOf = ({ estimationTitle }: ShownRound) => oneLine(estimationTitle);
  const until = ({ deadline }: ShownRound) => (deadline ? [`It ends at ${deadline.toISOString()}.`] : []);
  const optionsOf = ({ optionIds: { length } }: ShownRound) => `${length} ${length === 1 ? "option" : "options"}`;

  return [
    writeMail(
      askedMail,
      write(async (round, userId) => {
        if (round.status !== "open" || !(await waits(round, userId))) return null;
        const asks = `${oneLine(round.openerName)} asks you to estimate ${optionsOf(round)} of "${titleOf(round)}".`;
        const apart = "Everybody estimates apart, and sees the others' ranges afterwards.";
        const whose = round.anonymous ? ["Nobody learns whose an estimate is."] : [];
        return { subject: `Please estimate: ${titleOf(round)}`, paragraphs: [asks, apart, ...whose, ...until(round)] };
      }),
    ),
    writeMail(
      dueMail,
      write(async (round, userId) => {
        if (round.status !== "open" || !(await waits(round, userId))) return null;
        const left = `You were asked to estimate ${optionsOf(round)} of "${titleOf(round)}", and have not answered all of them.`;
        return { subject: `A day left to estimate: ${titleOf(round)}`, paragraphs: [left, ...until(round)] };
      }),
    ),
    writeMail(
      revealedMail,
      write(async (round) => {
        if (round.revealedAt === null) return null;
        const shown = `The estimates of ${optionsOf(round)} of "${titleOf(round)}" are shown now.`;
        return { subject: `Estimates revealed: ${titleOf(round)}`, paragraphs: [shown] };
      }),
    ),
  ];
};
