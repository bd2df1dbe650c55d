import { Button } from "@mantine/core";
import { api, signedIn } from "../../api/client.ts";
import { facts } from "../../api/facts.ts";
import { failureText } from "../../api/failure.ts";
import { useSession } from "../../api/session.ts";
import { useSecretRequest } from "../../api/use-secret-request.ts";
import { Dialog, DialogEnd, DialogForm } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { uiTexts } from "../../ui/texts.ts";
import { beginProviderSignIn } from "../sign-in/return-path.ts";
import { signInTexts } from "../sign-in/texts.ts";
import { endWaiting, useSignInNeeded } from "./recent-sign-in.ts";
import { adminTexts } from "./texts.ts";

const t = adminTexts.signInAgain;

/** Asks for the password where the sign-in is too old; what waited for it goes on. */
export function SignInAgain() {
  const isNeeded = useSignInNeeded();
  const session = useSession();
  const logIn = useSecretRequest(async (password: string) => {
    if (session === null) return;
    const before = (await api.listSessions({ query: { limit: 100 } })).data.sessions.find(({ current }) => current);
    signedIn((await api.logIn({ body: { email: session.email, password } })).data);
    // The session that the new one takes the place of.
    if (before) api.endSession({ params: { id: before.id } }).catch(() => {});
    endWaiting(true);
  });
  if (!isNeeded || session === null) return null;
  return (
    <Dialog title={t.title} onClose={() => endWaiting(false)} isLocked={logIn.isPending}>
      <DialogForm onSubmit={(form) => logIn.start(String(form.get("password")))}>
        <p className="muted">{t.text}</p>
        {logIn.isError && <Notice kind="bad">{failureText(logIn.error)}</Notice>}
        <input type="hidden" name="username" autoComplete="username" value={session.email} readOnly />
        <PasswordField
          label={signInTexts.signIn.password}
          name="password"
          autoComplete="current-password"
          required
          autoFocus
        />
        <DialogEnd>
          {facts.google && (
            <Button
              component="a"
              href="/api/auth/google"
              variant="default"
              onClick={() => beginProviderSignIn(location.pathname + location.search)}
            >
              {signInTexts.signIn.google}
            </Button>
          )}
          <Button variant="default" onClick={() => endWaiting(false)} disabled={logIn.isPending}>
            {uiTexts.cancel}
          </Button>
          <Button type="submit" loading={logIn.isPending}>
            {t.action}
          </Button>
        </DialogEnd>
      </DialogForm>
    </Dialog>
  );
}
