import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { api } from "../../api/client.ts";
import { failureText } from "../../api/failure.ts";
import { currentSession, keepSession } from "../../api/session.ts";
import { texts } from "../../texts.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import { useTitle } from "../../ui/use-title.ts";
import { once } from "./once.ts";
import { useSecret } from "./use-secret.ts";

const t = texts.verify;

async function verify(token: string): Promise<true> {
  await api.verifyEmail({ body: { token } });
  const session = currentSession();
  // Of whom the link was may be another than who is signed in here.
  if (session !== null) {
    const { data } = await api.getCurrentUser();
    keepSession({ ...session, isVerified: data.user.emailVerifiedAt !== null });
  }
  return true;
}

export function VerifyEmailPage() {
  useTitle(t.title);
  const token = useSecret(useSearch({ from: "/accounts/verify-email" }).token) ?? "";
  const { isPending, isSuccess, error } = useQuery({
    queryKey: ["verify-email", token],
    queryFn: () => once(`verify-email ${token}`, () => verify(token)),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (isPending) return <h1>{t.working}</h1>;
  return (
    <>
      <h1>{isSuccess ? t.doneTitle : t.failedTitle}</h1>
      <p className="muted">{isSuccess ? t.done : failureText(error)}</p>
      <LinkButton to="/estimations" mt="md">
        {t.action}
      </LinkButton>
    </>
  );
}
