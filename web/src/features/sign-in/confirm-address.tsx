import { Button } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { limits } from "../../../../contract/limits.ts";
import { api, signedIn } from "../../api/client.ts";
import { failureText, faultsByField, isRefusal } from "../../api/failure.ts";
import { currentSession, keepSession, rereadSession } from "../../api/session.ts";
import { useSecretRequest } from "../../api/use-secret-request.ts";
import { Notice } from "../../ui/notice.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import styles from "./account-pages.module.css";
import { linkTexts } from "./link-texts.ts";
import { signInTexts } from "./texts.ts";

const t = linkTexts.verify;

/** An address that the token of a mailed link can confirm. */
export interface Confirmation {
  readonly token: string;
  readonly email: string;
  readonly onDone: () => void;
  /** The link was used, replaced, or has expired meanwhile. */
  readonly onRefused: () => void;
}

/** Takes over from the service whether the address of the user who is signed in here is confirmed. */
async function rereadUser(): Promise<void> {
  if (currentSession() === null) return;
  const user = await api.getCurrentUser().then(
    ({ data }) => data.user,
    () => null,
  );
  // Another tab may have signed out, signed in as somebody else, or renewed the token.
  const session = rereadSession();
  if (user !== null && session?.userId === user.id) {
    keepSession({ ...session, isVerified: user.emailVerifiedAt !== null });
  }
}

/** Signs in, unless somebody else is signed in here. */
async function logIn(email: string, password: string): Promise<void> {
  const { data } = await api.logIn({ body: { email, password } });
  if (currentSession() === null) signedIn(data);
}

/** For the browser that the account is signed in with: one button. */
export function ConfirmAsOwner({ token, onDone, onRefused }: Confirmation) {
  const request = useConfirmation(onRefused, async () => {
    await api.verifyEmail({ body: { token } });
    await rereadUser();
    onDone();
  });
  return (
    <>
      <p className="muted">{t.text}</p>
      {request.isError && <Notice kind="bad">{failureText(request.error)}</Notice>}
      <Button mt="md" loading={request.isPending} onClick={() => request.start("")}>
        {t.action}
      </Button>
    </>
  );
}

/**
 * For any other browser. Who reads the mail may not be who made the account: they confirm with the password of the account, or
 * take the account over with one of their own.
 */
export function ConfirmByPassword({ token, email, onDone, onRefused }: Confirmation) {
  const [isNew, setIsNew] = useState(false);
  const request = useConfirmation(onRefused, async (password) => {
    if (isNew) await api.verifyEmail({ body: { token, newPassword: password } });
    await logIn(email, password);
    if (!isNew) await api.verifyEmail({ body: { token } });
    await rereadUser();
    onDone();
  });
  const faults = faultsByField(request.error);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    request.start(String(new FormData(event.currentTarget).get("password")));
  };
  const change = () => {
    request.reset();
    setIsNew(!isNew);
  };
  return (
    <form className={styles.form} method="post" onSubmit={submit}>
      <p className="muted">{isNew ? t.takeOver(email) : t.byPassword(email)}</p>
      {request.isError && faults.newPassword === undefined && <Notice kind="bad">{failureText(request.error)}</Notice>}
      <input type="hidden" name="email" autoComplete="username" value={email} />
      <PasswordField
        key={String(isNew)}
        label={isNew ? signInTexts.reset.password : signInTexts.signIn.password}
        description={isNew ? signInTexts.register.passwordHint(limits.passwordLengthMin) : undefined}
        name="password"
        autoComplete={isNew ? "new-password" : "current-password"}
        required
        minLength={isNew ? limits.passwordLengthMin : undefined}
        error={faults.newPassword}
        autoFocus
      />
      <div className={styles.actions}>
        <Button type="submit" loading={request.isPending}>
          {t.action}
        </Button>
        <Button variant="subtle" onClick={change} disabled={request.isPending}>
          {isNew ? t.knowPassword : t.choosePassword}
        </Button>
      </div>
    </form>
  );
}

/** A confirmation whose password is not kept, and which has the link looked at again when it is refused. */
const useConfirmation = (onRefused: () => void, run: (password: string) => Promise<void>) =>
  useSecretRequest(async (password: string) => {
    try {
      await run(password);
    } catch (error) {
      if (isRefusal(error, "invalid_verification_token")) onRefused();
      throw error;
    }
  });
