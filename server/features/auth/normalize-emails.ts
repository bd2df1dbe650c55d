import type { Logger } from "pino";
import type { DataMigration } from "../../db/data-migration.ts";
import { normalizeEmail } from "./email.ts";
import { changeEmail, findUserByEmail, listUnusualEmails } from "./store.ts";

/**
 * Brings addresses from before they were compared by the ASCII form of their domain into that form. An account whose form
 * belongs to another one already, or that has none, stays as it is, and the log says so: nobody can sign in with its
 * address any more, which its owner or the operator has to settle.
 */
export const normalizeEmails = (log: Logger): DataMigration => ({
  name: "normalize-emails",
  async run(tx) {
    for (const { id, email } of await listUnusualEmails(tx)) {
      const form = normalizeEmail(email);
      if (form === email) continue;
      const other = form === null ? undefined : await findUserByEmail(tx, form);
      if (form === null)
        log.warn({ userId: id }, "the e-mail address of an account is refused by now; change it in the database");
      else if (other)
        log.warn(
          { userId: id, otherUserId: other.id },
          "two accounts have equivalent e-mail addresses; only the other one can be signed in to by it",
        );
      else await changeEmail(tx, id, form);
    }
  },
});
