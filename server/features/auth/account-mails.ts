import { deviceOf } from "../../../domain/user-agent.ts";
import type { Queryable } from "../../db/database.ts";
import { type MailRow, writeMail } from "../../jobs/mail.ts";
import { defineMail, type MailKind, requestMail } from "../../jobs/mail-store.ts";
import type { Services } from "../../services/index.ts";
import { makeMailedToken } from "./mailed-tokens.ts";
import { linkMails, type NoticeKind, newSignInMail, noticeMails, type OtherAccess } from "./mails.ts";
import { findSession } from "./session-store.ts";
import { findUser, type UserRow } from "./store.ts";
import type { LinkPurpose } from "./tables.ts";

/** Why the owner of an account gets a mail. */
export type AccountMail = LinkPurpose | NoticeKind | "new-sign-in";

interface Facts {
  /** null: nobody. The mail is requested anyway, so that an address without an account takes as long. */
  readonly userId: string | null;
  /** For a Google identity that joined: whether the account lost its password. */
  readonly passwordRemoved?: boolean;
  /** For a link: whether an administrator sends it. */
  readonly byAdministrator?: boolean;
  /** For a sign-in: the session that it began. */
  readonly sessionId?: string;
}

/**
 * A mail that anybody can request is due at a random moment within this time; the worker looks every two seconds. Only
 * an address with an account causes the work of sending: right after the response, the next request would be measurably
 * slower.
 */
const SPREAD_MS = 1_000;

const kinds: Record<AccountMail, MailKind<Facts>> = {
  "reset-password": defineMail("reset-password", { spreadMs: SPREAD_MS }),
  "verify-email": defineMail("verify-email"),
  "password-changed": defineMail("password-changed"),
  "password-reset": defineMail("password-reset"),
  "google-linked": defineMail("google-linked"),
  "administrator-granted": defineMail("administrator-granted"),
  "administrator-revoked": defineMail("administrator-revoked"),
  "new-sign-in": defineMail("new-sign-in"),
};

/**
 * Requests a mail to a user, sent once the transaction `db` commits, or within a few seconds after if anybody can
 * request it.
 */
export const requestAccountMail = (
  db: Queryable,
  userId: string | null,
  kind: AccountMail,
  now: Date,
  more: Omit<Facts, "userId"> = {},
): Promise<void> => requestMail(db, kinds[kind], { userId, ...more }, now);

/** Counts what gives access to a user's account besides sessions and the password. */
export type OtherAccessOf = (userId: string) => Promise<OtherAccess>;

/** Returns the writers of account mails. `otherAccessOf` is for mails that list other ways into the account. */
export function accountMails({ config, clock, pool, linkKeys }: Services, otherAccessOf: OtherAccessOf): MailRow[] {
  const { webUrl } = config;
  const provider = URL.parse(config.google?.issuer ?? "")?.host ?? "an OpenID provider";

  /**
   * A link's token is made now, and stored as a hash before the mail is sent, so that no queue ever contains a usable
   * one. If the mail is written again, it has the same token.
   */
  const link = (purpose: LinkPurpose, isWanted: (user: UserRow) => boolean): MailRow =>
    writeMail(kinds[purpose], async ({ userId, byAdministrator = false }, { cause }) => {
      const user = await userOf(userId);
      if (!user || !isWanted(user)) return null;
      const request = { userId: user.id, purpose, cause };
      const token = await makeMailedToken(pool, await linkKeys.account(), request, clock.now());
      return { to: user.email, ...linkMails[purpose](webUrl, token, byAdministrator) };
    });

  const notice = (kind: NoticeKind): MailRow =>
    writeMail(kinds[kind], async ({ userId, passwordRemoved = false }, { askedAt }) => {
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

  const newSignIn = writeMail(kinds["new-sign-in"], async ({ userId, sessionId = "" }, { askedAt }) => {
    const [user, session] = [await userOf(userId), await findSession(pool, sessionId)];
    if (!user) return null;
    const device = session?.userAgent ? deviceOf(session.userAgent) : null;
    const facts = { webUrl, at: askedAt.toISOString(), ip: session?.ip ?? null, device };
    return { to: user.email, ...newSignInMail(facts) };
  });

  const userOf = (userId: string | null) => (userId === null ? undefined : findUser(pool, userId));

  return [
    link("reset-password", ({ disabledAt }) => disabledAt === null),
    link("verify-email", ({ emailVerifiedAt, disabledAt }) => emailVerifiedAt === null && disabledAt === null),
    newSignIn,
    notice("password-changed"),
    notice("password-reset"),
    notice("google-linked"),
    notice("administrator-granted"),
    notice("administrator-revoked"),
  ];
}
