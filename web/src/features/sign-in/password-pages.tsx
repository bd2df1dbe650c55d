import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { limits } from "../../../../contract/limits.ts";
import { api } from "../../api/client.ts";
import { failureText, faultsByField, isRefusal } from "../../api/failure.ts";
import { endSession } from "../../api/session.ts";
import { useSecretRequest } from "../../api/use-secret-request.ts";
import { Notice } from "../../ui/notice.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { useTitle } from "../../ui/use-title.ts";
import styles from "./account-pages.module.css";
import { signInTexts } from "./texts.ts";
import { useSecret } from "./use-secret.ts";

const readField = (event: FormEvent<HTMLFormElement>, name: string): string => {
  event.preventDefault();
  return String(new FormData(event.currentTarget).get(name));
};

const ToSignIn = () => (
  <p className={styles.foot}>
    <Link to="/sign-in" search={{ to: undefined }}>
      {signInTexts.signIn.action}
    </Link>
  </p>
);

export function ForgotPasswordPage() {
  const t = signInTexts.forgot;
  useTitle(t.title);
  const request = useMutation({ mutationFn: (email: string) => api.requestPasswordReset({ body: { email } }) });
  if (request.isSuccess) {
    return (
      <>
        <h1>{t.sentTitle}</h1>
        <p className="muted">{t.sent(request.variables)}</p>
        <ToSignIn />
      </>
    );
  }
  return (
    <>
      <h1>{t.title}</h1>
      <p className="muted">{t.text}</p>
      <form className={styles.form} method="post" onSubmit={(event) => request.mutate(readField(event, "email"))}>
        {request.isError && <Notice kind="bad">{failureText(request.error)}</Notice>}
        <TextInput
          label={signInTexts.signIn.email}
          name="email"
          type="email"
          autoComplete="username"
          required
          autoFocus
        />
        <Button type="submit" loading={request.isPending}>
          {t.action}
        </Button>
      </form>
      <ToSignIn />
    </>
  );
}

export function ResetPasswordPage() {
  const t = signInTexts.reset;
  useTitle(t.title);
  const token = useSecret(useSearch({ from: "/accounts/reset-password" }).token);
  const reset = useSecretRequest(async (body: { readonly token: string; readonly password: string }) => {
    await api.resetPassword({ body });
    endSession("signed-out");
  });
  const faults = faultsByField(reset.error);
  if (reset.isSuccess) {
    return (
      <>
        <h1>{t.doneTitle}</h1>
        <p className="muted">{t.done}</p>
        <ToSignIn />
      </>
    );
  }
  if (token === undefined || isRefusal(reset.error, "invalid_reset_token")) {
    return (
      <>
        <h1>{t.title}</h1>
        <p className="muted">{token === undefined ? t.missing : failureText(reset.error)}</p>
        <p className={styles.foot}>
          <Link to="/forgot-password">{t.again}</Link>
        </p>
      </>
    );
  }
  return (
    <>
      <h1>{t.title}</h1>
      <form
        className={styles.form}
        method="post"
        onSubmit={(event) => reset.start({ token, password: readField(event, "password") })}
      >
        {reset.isError && Object.keys(faults).length === 0 && <Notice kind="bad">{failureText(reset.error)}</Notice>}
        <PasswordField
          label={t.password}
          description={signInTexts.register.passwordHint(limits.passwordLengthMin)}
          name="password"
          autoComplete="new-password"
          required
          minLength={limits.passwordLengthMin}
          error={faults.password}
          autoFocus
        />
        <Button type="submit" loading={reset.isPending}>
          {t.action}
        </Button>
      </form>
    </>
  );
}
