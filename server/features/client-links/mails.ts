import { limits } from "../../../contract/limits.ts";
import type { Queryable } from "../../db/database.ts";
import { type AddressedLetter, type MailRow, writeMail } from "../../jobs/mail.ts";
import { defineMail, requestMail } from "../../jobs/mail-store.ts";
import { oneLine } from "../../platform/letter.ts";
import type { Services } from "../../services/index.ts";
import { countsAsVerified, normalizeEmail } from "../auth/index.ts";
import { webPages } from "../estimations/index.ts";
import { type AnswerRow, countAnswersSince, findMailedAnswer, type MailedAnswer } from "./answer-store.ts";

interface Facts {
  readonly answerId: string;
}

const acceptedMail = defineMail<Facts>("proposal-accepted");
const commentedMail = defineMail<Facts>("proposal-commented");

const DAY_MS = 86_400_000;

/**
 * Requests the mail to the owner, in the transaction of an answer that is not stored yet. An acceptance is always mailed, and there is one
 * of each link. Comments are not where the estimation got as many answers within a day as there may be mails: whoever has the address could fill
 * the owner's mailbox.
 */
export async function mailAnswer(
  tx: Queryable,
  { id, estimationId, kind, createdAt }: Pick<AnswerRow, "id" | "estimationId" | "kind" | "createdAt">,
): Promise<void> {
  const facts = { answerId: id };
  if (kind === "accepted") return requestMail(tx, acceptedMail, facts, createdAt, { cause: id });
  const before = await countAnswersSince(tx, estimationId, new Date(createdAt.getTime() - DAY_MS));
  if (before < limits.linkMailsPerDay) await requestMail(tx, commentedMail, facts, createdAt, { cause: id });
}

/** Writes the mails about what clients answer, to owners with verified addresses only. */
export const clientLinkMails = ({ config, pool }: Services): MailRow[] => {
  const letterTo = (
    { owner, answer, estimationTitle }: MailedAnswer,
    verb: string,
    subject: string,
  ): AddressedLetter | null => {
    const { email, name, emailVerifiedAt } = owner;
    if (!countsAsVerified({ emailVerifiedAt }, config) || normalizeEmail(email) === null) return null;
    const who = `Somebody who has a link for clients, and is called "${oneLine(answer.name)}" (${oneLine(answer.email)}) there`;
    return {
      to: email,
      name,
      subject: `${subject}: ${oneLine(estimationTitle)}`,
      paragraphs: [`${who}, ${verb} "${oneLine(estimationTitle)}". Name and address are not proved.`],
      quote: answer.note === null ? undefined : oneLine(answer.note),
      link: { label: "Open the links", url: webPages.links(config.webUrl, answer.estimationId) },
    };
  };
  const write =
    (verb: string, subject: string) =>
    async ({ answerId }: Facts) => {
      const found = await findMailedAnswer(pool, answerId);
      return found ? letterTo(found, verb, subject) : null;
    };
  return [
    writeMail(acceptedMail, write("accepted the proposal for", "Accepted by a client")),
    writeMail(commentedMail, write("commented on the proposal for", "Comment of a client")),
  ];
};
