import { Button } from "@mantine/core";
import { type SubmitEvent, useRef } from "react";
import { limits } from "../../../../contract/limits.ts";
import { api } from "../../api/client.ts";
import { failureText, faultsByField, isRefusal } from "../../api/failure.ts";
import { currentSession, keepSession } from "../../api/session.ts";
import { useSecretRequest } from "../../api/use-secret-request.ts";
import { Notice } from "../../ui/notice.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { SavedMark } from "../../ui/saved-mark.tsx";
import { signInTexts } from "../sign-in/texts.ts";
import styles from "./security-page.module.css";
import { securityTexts } from "./texts.ts";

const t = securityTexts;

interface Passwords {
  readonly currentPassword: string;
  readonly newPassword: string;
}

/** Changes the password; this session goes on with the token that the response brings. */
export function PasswordForm({ email, onChanged }: { readonly email: string; readonly onChanged: () => void }) {
  const form = useRef<HTMLFormElement>(null);
  const change = useSecretRequest(async (body: Passwords) => {
    const before = currentSession();
    const { data } = await api.changePassword({ body });
    const session = currentSession();
    // Somebody else may have signed in meanwhile, in another tab.
    if (session && session.userId === before?.userId)
      keepSession({ ...session, token: data.token, receivedAt: Date.now() });
    form.current?.reset();
    onChanged();
  });
  const isWrong = isRefusal(change.error, "invalid_credentials");
  const faults = faultsByField(change.error);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    change.start({
      currentPassword: String(given.get("currentPassword")),
      newPassword: String(given.get("newPassword")),
    });
  };
  return (
    <form ref={form} className={styles.form} method="post" onSubmit={submit}>
      {change.isError && !isWrong && Object.keys(faults).length === 0 && (
        <Notice kind="bad">{failureText(change.error)}</Notice>
      )}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <PasswordField
        label={t.currentPassword}
        name="currentPassword"
        autoComplete="current-password"
        required
        error={isWrong ? t.wrongPassword : faults.currentPassword}
      />
      <PasswordField
        label={t.newPassword}
        description={signInTexts.register.passwordHint(limits.passwordLengthMin)}
        name="newPassword"
        autoComplete="new-password"
        required
        minLength={limits.passwordLengthMin}
        error={faults.newPassword}
      />
      <div className={styles.end}>
        <Button type="submit" variant="default" loading={change.isPending}>
          {t.changePassword}
        </Button>
        <SavedMark isShown={change.isSuccess} text={t.passwordChanged} />
      </div>
    </form>
  );
}
