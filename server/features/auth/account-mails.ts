import type { Queryable } from "../../db/database.ts";
import { type MailRow, writeMail } from "../../jobs/mail.ts";
import { defineMail, type MailKind, requestMail } from "../../jobs/mail-store.ts";
import type { Services } from "../../services.ts";
import { makeMailedToken } from "./mailed-tokens.ts";
import { linkMails, type NoticeKind, noticeMails, type OtherAccess } from "./mails.ts";
import { findUser, type UserRow } from "./store.ts";
import type { LinkPurpose } from "./tables.ts";

/** Why the owner of an account is written to. */
export type AccountMail = LinkPurpose | NoticeKind;

interface Facts {
  /** null: nobody. The mail is asked for all the same, so that this takes as long for an address without an account. */
  readonly userId: string | null;
  /** Of a Google identity that joined: whether the account lost its password by that. */
  readonly passwordRemoved?: boolean;
}

/**
 * A mail that anybody can have sent is due at a random moment of this time; the worker looks every two seconds. Sending it
 * is work, which only an address with an account makes: right after the answer the sender of the next request would feel it.
 */
const SPREAD_MS = 1_000;

const kinds: Record<AccountMail, MailKind<Facts>> = {
  "reset-password": defineMail("reset-password", { spreadMs: SPREAD_MS }),
  "verify-email": defineMail("verify-email"),
  "password-changed": defineMail("password-changed"),
  "password-reset": defineMail("password-reset"),
  "google-linked": defineMail("google-linked"),
};

/** Has a mail sent to a user once the transaction `db` commits, or within a few seconds from then where anybody can ask for it. */
export const requestAccountMail = (
  db: Queryable,
  userId: string | null,
  kind: AccountMail,
  now: Date,
  more: Pick<Facts, "passwordRemoved"> = {},
): Promise<void> => requestMail(db, kinds[kind], { userId, ...more }, now);

/** Counts what opens a user's account beside sessions and the password. */
export type OtherAccessOf = (userId: string) => Promise<OtherAccess>;

/** What writes the mails of accounts. `otherAccessOf` is for those that say what else opens the account. */
export function accountMails({ config, clock, pool }: Services, otherAccessOf: OtherAccessOf): MailRow[] {
  const { webUrl } = config;
  const provider = URL.parse(config.google?.issuer ?? "")?.host ?? "an OpenID provider";

  /**
   * A link's token is made now, and stored as a hash before the mail leaves, so that no queue ever has a usable one. Where
   * the mail is written again that voids the token before: of two mails the last one works.
   */
  const link = (purpose: LinkPurpose, isWanted: (user: UserRow) => boolean): MailRow =>
    writeMail(kinds[purpose], async ({ userId }) => {
      const user = await userOf(userId);
      if (!user || !isWanted(user)) return null;
      const token = await makeMailedToken(pool, user.id, purpose, clock.now());
      return { to: user.email, ...linkMails[purpose](webUrl, token) };
    });

  const notice = (kind: NoticeKind): MailRow =>
    writeMail(kinds[kind], async ({ userId, passwordRemoved = false }, askedAt) => {
      const user = await userOf(userId);
      if (!user) return null;
      const { id, email, passwordHash } = user;
      const facts = {
        webUrl,
        at: askedAt.toISOString(),
        email,
        hasPassword: passwordHash !== null,
        passwordRemoved,
        provider,
      };
      return { to: email, ...noticeMails[kind]({ ...facts, otherAccess: await otherAccessOf(id) }) };
    });

  const userOf = (userId: string | null) => (userId === null ? undefined : findUser(pool, userId));

  return [
    link("reset-password", () => true),
    link("verify-email", ({ emailVerifiedAt }) => emailVerifiedAt === null),
    notice("password-changed"),
    notice("password-reset"),
    notice("google-linked"),
  ];
}
