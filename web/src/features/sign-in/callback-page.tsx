import { Button } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { api, signedIn } from "../../api/client.ts";
import { failureText } from "../../api/failure.ts";
import { currentSession } from "../../api/session.ts";
import { failureTexts } from "../../api/texts.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import { uiTexts } from "../../ui/texts.ts";
import { useTitle } from "../../ui/use-title.ts";
import styles from "./account-pages.module.css";
import { linkTexts } from "./link-texts.ts";
import { once } from "./once.ts";
import { takeProviderSignIn } from "./return-path.ts";

const t = linkTexts.callback;

/** Read once for each visit: React may render twice, and the note of the sign-in is taken away. */
const begun = new Map<string, string | null>();

function returnPathOf(code: string): string | null {
  const path = begun.has(code) ? (begun.get(code) ?? null) : takeProviderSignIn();
  begun.set(code, path);
  return path;
}

/**
 * Where Google's sign-in ends: with an error, or with a code, which leaves the address bar at once and is exchanged once. It
 * is exchanged only if this tab began the sign-in, and in place of another session only after a question: a link with
 * somebody else's code would sign the reader in as them.
 */
export function CallbackPage() {
  useTitle(t.title);
  const search = useSearch({ from: "/accounts/auth/callback" });
  const [{ code = "", error }] = useState(() => search);
  const [path] = useState(() => (error === undefined ? returnPathOf(code) : null));
  const [session] = useState(currentSession);
  const [isAgreed, setAgreed] = useState(session === null);
  const [failed, setFailed] = useState(() => {
    if (error !== undefined) return t.errors[error] ?? failureTexts.unexpected;
    return path === null ? t.notBegun : null;
  });
  const navigate = useNavigate();
  useEffect(() => {
    history.replaceState(history.state, "", "/auth/callback");
    if (path === null || !isAgreed) return;
    once(`exchange ${code}`, () => api.exchangeCode({ body: { code } })).then(
      ({ data }) => {
        signedIn(data);
        void navigate({ href: path, replace: true });
      },
      (refused) => setFailed(failureText(refused)),
    );
  }, [code, path, isAgreed, navigate]);
  if (failed !== null) {
    return (
      <>
        <h1>{t.failedTitle}</h1>
        <p className="muted">{failed}</p>
        <LinkButton to="/sign-in" search={{ to: undefined }} mt="md">
          {uiTexts.retry}
        </LinkButton>
      </>
    );
  }
  if (session !== null && !isAgreed) {
    return (
      <>
        <h1>{t.switchTitle}</h1>
        <p className="muted">{t.signedInAs(session.email)}</p>
        <div className={styles.actions}>
          <LinkButton to="/estimations">{t.stay}</LinkButton>
          <Button variant="default" onClick={() => setAgreed(true)}>
            {t.switchAccount}
          </Button>
        </div>
      </>
    );
  }
  return <h1>{t.working}</h1>;
}
