import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { api, signedIn } from "../../api/client.ts";
import { failureText } from "../../api/failure.ts";
import { texts } from "../../texts.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import { useTitle } from "../../ui/use-title.ts";
import { once } from "./once.ts";
import { takeReturnPath } from "./return-path.ts";

const t = texts.callback;

/** Where Google's sign-in ends: with a code, which is exchanged once and leaves the address bar at once, or an error. */
export function CallbackPage() {
  useTitle(t.title);
  const search = useSearch({ from: "/accounts/auth/callback" });
  const [{ code, error }] = useState(() => search);
  const [failed, setFailed] = useState(error === undefined ? null : (t.errors[error] ?? texts.failures.unexpected));
  const navigate = useNavigate();
  useEffect(() => {
    history.replaceState(history.state, "", "/auth/callback");
    if (error !== undefined) return;
    once(`exchange ${code}`, () => api.exchangeCode({ body: { code: code ?? "" } })).then(
      ({ data }) => {
        signedIn(data);
        void navigate({ href: takeReturnPath(), replace: true });
      },
      (refused) => setFailed(failureText(refused)),
    );
  }, [code, error, navigate]);
  if (failed === null) return <h1>{t.working}</h1>;
  return (
    <>
      <h1>{t.failedTitle}</h1>
      <p className="muted">{failed}</p>
      <LinkButton to="/sign-in" search={{ to: undefined }} mt="md">
        {texts.retry}
      </LinkButton>
    </>
  );
}
