import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { failureText } from "../../api/failure.ts";
import { useSession } from "../../api/session.ts";
import type { First } from "../../app/first.ts";
import { FailedPage } from "../../ui/failed-page.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { Message } from "../../ui/message.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useTitle } from "../../ui/use-title.ts";
import { isUnverified } from "../shares/shared-page.tsx";
import { myInvitationsQuery } from "./queries.ts";
import { teamTexts } from "./texts.ts";
import { Unverified } from "./unverified.tsx";
import { useAnswer } from "./use-answer.ts";

const t = teamTexts.invitation;

export const first: First = () => [myInvitationsQuery];

/** An invitation to a team, to accept or decline. A mailed link leads here; nothing happens by opening it. */
export function InvitationPage() {
  useTitle(t.title);
  const { id } = useParams({ from: "/frame/signed-in/teams/$id/invitation" });
  const navigate = useNavigate();
  const session = useSession();
  const list = useQuery({ ...myInvitationsQuery, retry: (count, error) => count < 2 && !isUnverified(error) });
  const answer = useAnswer();
  const invitation = answer.variables?.invitation ?? list.data?.find(({ teamId }) => teamId === id);
  const toTeams = (
    <LinkButton variant="default" to="/teams">
      {t.toTeams}
    </LinkButton>
  );
  if (isUnverified(list.error)) return <Unverified query={list} />;
  if (list.isError) return <FailedPage error={list.error} onRetry={() => void list.refetch()} />;
  if (list.isPending) return <SkeletonRows rows={3} />;
  if (invitation === undefined) {
    return (
      <Message title={t.goneTitle} text={t.gone(session?.email ?? "")}>
        {toTeams}
      </Message>
    );
  }
  if (answer.isSuccess && answer.variables.what === "decline") {
    return (
      <Message title={t.declinedTitle} text={teamTexts.declined(invitation.teamName)}>
        {toTeams}
      </Message>
    );
  }
  return (
    <>
      {answer.isError && <Notice kind="bad">{failureText(answer.error)}</Notice>}
      <Message title={t.question(invitation.teamName)} text={t.text(invitation.inviterName, invitation.role)}>
        <Button
          variant="default"
          loading={answer.isPending && answer.variables.what === "decline"}
          onClick={() => answer.mutate({ invitation, what: "decline" })}
        >
          {teamTexts.decline}
        </Button>
        <Button
          loading={answer.isPending && answer.variables.what === "accept"}
          onClick={() =>
            answer.mutate(
              { invitation, what: "accept" },
              { onSuccess: () => void navigate({ to: "/teams/$id", params: { id }, replace: true }) },
            )
          }
        >
          {teamTexts.accept}
        </Button>
      </Message>
    </>
  );
}
