import { Button } from "@mantine/core";
import { useSearch } from "@tanstack/react-router";
import { api } from "../../api/client.ts";
import { failureText, isRefusal } from "../../api/failure.ts";
import { currentSession, keepSession, rereadSession } from "../../api/session.ts";
import { useSecretRequest } from "../../api/use-secret-request.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useTitle } from "../../ui/use-title.ts";
import { signInTexts } from "./texts.ts";
import { useSecret } from "./use-secret.ts";

const t = signInTexts.verify;

async function verify(token: string): Promise<void> {
  await api.verifyEmail({ body: { token } });
  if (currentSession() === null) return;
  // The link may belong to a user other than the one signed in here. The address is confirmed in any case.
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

/**
 * Confirms an address by a button. Opening the page changes nothing: scanners of mail servers open links, and run scripts, before
 * anybody has read the mail.
 */
export function VerifyEmailPage() {
  useTitle(t.title);
  const token = useSecret(useSearch({ from: "/accounts/verify-email" }).token);
  const request = useSecretRequest(verify);
  const isUseless = token === undefined || isRefusal(request.error, "invalid_verification_token");
  if (request.isSuccess || isUseless) {
    const reason = token === undefined ? t.missing : failureText(request.error);
    return (
      <>
        <h1>{request.isSuccess ? t.doneTitle : t.failedTitle}</h1>
        <p className="muted">{request.isSuccess ? t.done : reason}</p>
        <LinkButton to="/estimations" mt="md">
          {t.toEstimations}
        </LinkButton>
      </>
    );
  }
  return (
    <>
      <h1>{t.title}</h1>
      <p className="muted">{t.text}</p>
      {request.isError && <Notice kind="bad">{failureText(request.error)}</Notice>}
      <Button mt="md" loading={request.isPending} onClick={() => request.start(token)}>
        {t.action}
      </Button>
    </>
  );
}
