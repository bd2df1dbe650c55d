import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { api } from "../../api/client.ts";
import { failureText, isPassing } from "../../api/failure.ts";
import { keys } from "../../api/keys.ts";
import { currentSession, keepSession, rereadSession, useSession } from "../../api/session.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import { uiTexts } from "../../ui/texts.ts";
import { useTitle } from "../../ui/use-title.ts";
import { once } from "./once.ts";
import { signInTexts } from "./texts.ts";
import { useSecret } from "./use-secret.ts";

const t = signInTexts.verify;

async function verify(token: string): Promise<true> {
  await api.verifyEmail({ body: { token } });
  if (currentSession() === null) return true;
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
  return true;
}

export function VerifyEmailPage() {
  useTitle(t.title);
  const token = useSecret(useSearch({ from: "/accounts/verify-email" }).token) ?? "";
  // When the session changes, everything that was loaded is forgotten: only rendering again asks for this anew.
  useSession();
  const { isPending, isSuccess, isFetching, error, refetch } = useQuery({
    queryKey: keys.verifyEmail(token),
    queryFn: () => once(`verify-email ${token}`, () => verify(token)),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (isPending) return <h1>{t.working}</h1>;
  return (
    <>
      <h1>{isSuccess ? t.doneTitle : t.failedTitle}</h1>
      <p className="muted">{isSuccess ? t.done : failureText(error)}</p>
      {error !== null && isPassing(error) ? (
        <Button mt="md" loading={isFetching} onClick={() => void refetch()}>
          {uiTexts.retry}
        </Button>
      ) : (
        <LinkButton to="/estimations" mt="md">
          {t.action}
        </LinkButton>
      )}
    </>
  );
}
