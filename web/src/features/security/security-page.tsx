import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { api } from "../../api/client.ts";
import { endSession } from "../../api/session.ts";
import type { First } from "../../app/first.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { PageHead } from "../profile/page-head.tsx";
import { AuditLog } from "./audit-log.tsx";
import { DefaultTeamForm } from "./default-team-form.tsx";
import { LocaleForm } from "./locale-form.tsx";
import { PasswordForm } from "./password-form.tsx";
import { ProfileForm } from "./profile-form.tsx";
import { auditQuery, meQuery, sessionsQuery } from "./queries.ts";
import styles from "./security-page.module.css";
import { SessionList } from "./session-list.tsx";
import { securityTexts } from "./texts.ts";

const t = securityTexts;

export const first: First = () => [meQuery, sessionsQuery];

export function SecurityPage() {
  const queries = useQueryClient();
  const me = useQuery(meQuery);
  return (
    <>
      <PageHead title={t.title} />
      <LoadFailure query={me} />
      {me.isPending && <SkeletonRows rows={4} />}
      {me.data && (
        <>
          <Section title={t.profile}>
            <ProfileForm user={me.data} />
          </Section>
          <Section title={t.newEstimations} text={t.newEstimationsText}>
            <DefaultTeamForm user={me.data} />
          </Section>
          <Section title={t.password} text={t.passwordText}>
            <PasswordForm email={me.data.email} onChanged={() => void queries.invalidateQueries(auditQuery)} />
          </Section>
        </>
      )}
      <Section title={t.numbers} text={t.numbersText} anchor="numbers">
        <LocaleForm />
      </Section>
      <Section title={t.sessions} text={t.sessionsText}>
        <SessionList />
        <SignOut />
      </Section>
      <Section title={t.log} text={t.logText}>
        <AuditLog />
      </Section>
    </>
  );
}

interface SectionProps {
  readonly title: string;
  readonly text?: string;
  /** By which links lead to it. */
  readonly anchor?: string;
  readonly children: ReactNode;
}

function Section({ title, text, anchor, children }: SectionProps) {
  const id = useId();
  return (
    <section id={anchor} className={styles.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {text && <p>{text}</p>}
      {children}
    </section>
  );
}

function SignOut() {
  const [isAsked, setAsked] = useState(false);
  // Unlike the menu of the header, it says if the sessions could not be revoked everywhere.
  const signOut = useMutation({ mutationFn: () => api.logOut(), onSuccess: () => endSession("signed-out") });
  return (
    <>
      <Button className={styles.start} variant="default" onClick={() => setAsked(true)}>
        {t.signOut}
      </Button>
      {isAsked && (
        <Confirm
          title={t.signOutTitle}
          text={t.signOutText}
          action={t.signOut}
          isDangerous={false}
          request={signOut}
          onConfirm={signOut.mutate}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}
