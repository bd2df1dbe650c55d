import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { failureText, isRefusal } from "../../api/failure.ts";
import { keys } from "../../api/keys.ts";
import { useSession } from "../../api/session.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { useTitle } from "../../ui/use-title.ts";
import { ConfirmAsOwner, type Confirmation, ConfirmByPassword } from "./confirm-address.tsx";
import { linkTexts } from "./link-texts.ts";
import { useSecret } from "./use-secret.ts";

const t = linkTexts.verify;

const Outcome = ({ title, text }: { readonly title: string; readonly text: string }) => (
  <>
    <h1>{title}</h1>
    <p className="muted">{text}</p>
    <LinkButton to="/estimations" mt="md">
      {t.toEstimations}
    </LinkButton>
  </>
);

/**
 * Confirms an address by a button. Opening the page changes nothing: scanners of mail servers open links, and run scripts, before
 * anybody has read the mail.
 */
export function VerifyEmailPage() {
  useTitle(t.title);
  const token = useSecret(useSearch({ from: "/accounts/verify-email" }).token);
  return token === undefined ? <Outcome title={t.failedTitle} text={t.missing} /> : <OpenLink token={token} />;
}

function OpenLink({ token }: { readonly token: string }) {
  const session = useSession();
  const [isDone, setIsDone] = useState(false);
  // The token is no part of the key: a cache keeps keys for minutes.
  const link = useQuery({
    queryKey: keys.mailedLink,
    queryFn: async () => (await api.checkVerification({ body: { token } })).data,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (isDone) return <Outcome title={t.doneTitle} text={t.done} />;
  if (isRefusal(link.error, "invalid_verification_token"))
    return <Outcome title={t.failedTitle} text={failureText(link.error)} />;
  if (link.data?.isConfirmed) return <Outcome title={t.alreadyTitle} text={t.already(link.data.email)} />;
  const confirmation: Confirmation | null = link.data
    ? { token, email: link.data.email, onDone: () => setIsDone(true), onRefused: () => void link.refetch() }
    : null;
  return (
    <>
      <h1>{t.title}</h1>
      <LoadFailure query={link} />
      {confirmation &&
        (session?.email === confirmation.email ? (
          <ConfirmAsOwner {...confirmation} />
        ) : (
          <ConfirmByPassword {...confirmation} />
        ))}
    </>
  );
}
