import { Button, TextInput } from "@mantine/core";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { limits } from "../../../../contract/limits.ts";
import { api, signedIn } from "../../api/client.ts";
import { facts } from "../../api/facts.ts";
import { failureText, faultsByField } from "../../api/failure.ts";
import { useSecretRequest } from "../../api/use-secret-request.ts";
import { Notice } from "../../ui/notice.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { useTitle } from "../../ui/use-title.ts";
import styles from "./account-pages.module.css";
import { safePath } from "./return-path.ts";
import { signInTexts } from "./texts.ts";

const t = signInTexts.register;

interface Fields {
  readonly email: string;
  readonly password: string;
  readonly name?: string;
}

export function RegisterPage() {
  useTitle(t.title);
  const { to } = useSearch({ from: "/accounts/register" });
  const navigate = useNavigate();
  const register = useSecretRequest(async (body: Fields) => {
    signedIn((await api.registerUser({ body })).data);
    await navigate({ href: safePath(to), replace: true });
  });
  const faults = faultsByField(register.error);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const name = String(form.get("name")).trim();
    register.start({
      email: String(form.get("email")),
      password: String(form.get("password")),
      ...(name === "" ? {} : { name }),
    });
  };
  if (!facts.registration) {
    return (
      <>
        <h1>{t.title}</h1>
        <p className="muted">{t.closed}</p>
        <HasAccount to={to} />
      </>
    );
  }
  return (
    <>
      <h1>{t.title}</h1>
      <form className={styles.form} method="post" onSubmit={submit}>
        {register.isError && Object.keys(faults).length === 0 && (
          <Notice kind="bad">{failureText(register.error)}</Notice>
        )}
        <TextInput
          label={t.name}
          description={t.nameHint}
          name="name"
          autoComplete="name"
          maxLength={limits.userNameLength}
          error={faults.name}
          autoFocus
        />
        <TextInput
          label={signInTexts.signIn.email}
          name="email"
          type="email"
          autoComplete="username"
          required
          error={faults.email}
        />
        <PasswordField
          label={t.password}
          description={t.passwordHint(limits.passwordLengthMin)}
          name="password"
          autoComplete="new-password"
          required
          minLength={limits.passwordLengthMin}
          error={faults.password}
        />
        <Button type="submit" loading={register.isPending}>
          {t.action}
        </Button>
      </form>
      <HasAccount to={to} />
    </>
  );
}

const HasAccount = ({ to }: { readonly to: string | undefined }) => (
  <p className={styles.foot}>
    <span>
      {t.hasAccount}{" "}
      <Link to="/sign-in" search={{ to }}>
        {signInTexts.signIn.action}
      </Link>
    </span>
  </p>
);
