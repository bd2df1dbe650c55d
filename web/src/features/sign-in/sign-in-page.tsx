import { Button, TextInput } from "@mantine/core";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { api, signedIn } from "../../api/client.ts";
import { facts } from "../../api/facts.ts";
import { failureText } from "../../api/failure.ts";
import { reasonOfEnd } from "../../api/session.ts";
import { useSecretRequest } from "../../api/use-secret-request.ts";
import { Notice } from "../../ui/notice.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { useTitle } from "../../ui/use-title.ts";
import styles from "./account-pages.module.css";
import { beginProviderSignIn, safePath } from "./return-path.ts";
import { signInTexts } from "./texts.ts";

const t = signInTexts.signIn;

export function SignInPage() {
  useTitle(t.title);
  const { to } = useSearch({ from: "/accounts/sign-in" });
  const navigate = useNavigate();
  const logIn = useSecretRequest(async (body: { readonly email: string; readonly password: string }) => {
    signedIn((await api.logIn({ body })).data);
    await navigate({ href: safePath(to), replace: true });
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    logIn.start({ email: String(form.get("email")), password: String(form.get("password")) });
  };
  return (
    <>
      <h1>{t.title}</h1>
      <form className={styles.form} method="post" onSubmit={submit}>
        {logIn.isError ? (
          <Notice kind="bad">{failureText(logIn.error)}</Notice>
        ) : (
          reasonOfEnd() === "expired" && <Notice kind="info">{t.expired}</Notice>
        )}
        <TextInput label={t.email} name="email" type="email" autoComplete="username" required autoFocus />
        <PasswordField label={t.password} name="password" autoComplete="current-password" required />
        <Button type="submit" loading={logIn.isPending}>
          {t.action}
        </Button>
        {facts.google && (
          <>
            <span className={styles.or}>{t.or}</span>
            <Button component="a" href="/api/auth/google" variant="default" onClick={() => beginProviderSignIn(to)}>
              {t.google}
            </Button>
          </>
        )}
      </form>
      <p className={styles.foot}>
        {facts.registration && (
          <span>
            {t.noAccount}{" "}
            <Link to="/register" search={{ to }}>
              {t.register}
            </Link>
          </span>
        )}
        <Link to="/forgot-password">{t.forgot}</Link>
      </p>
    </>
  );
}
