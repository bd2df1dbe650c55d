import { Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { SubmitEvent } from "react";
import type { User } from "../../../../contract/endpoints/auth.ts";
import { limits } from "../../../../contract/limits.ts";
import { api } from "../../api/client.ts";
import { failureText, faultsByField } from "../../api/failure.ts";
import { currentSession, keepSession } from "../../api/session.ts";
import { Notice } from "../../ui/notice.tsx";
import { Ago } from "../../ui/numbers/ago.tsx";
import { SavedMark } from "../../ui/saved-mark.tsx";
import { uiTexts } from "../../ui/texts.ts";
import { meQuery } from "./queries.ts";
import styles from "./security-page.module.css";
import { securityTexts } from "./texts.ts";

const t = securityTexts;

export function ProfileForm({ user }: { readonly user: User }) {
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (body: Pick<User, "name">) => api.updateCurrentUser({ body }),
    onSuccess: ({ data }) => {
      queries.setQueryData(meQuery.queryKey, data.user);
      const session = currentSession();
      if (session) keepSession({ ...session, name: data.user.name });
    },
  });
  const faults = faultsByField(change.error);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    change.mutate({ name: String(form.get("name")) });
  };
  return (
    <form className={styles.form} onSubmit={submit} onChange={() => change.reset()}>
      {change.isError && Object.keys(faults).length === 0 && <Notice kind="bad">{failureText(change.error)}</Notice>}
      <TextInput label={t.email} value={user.email} readOnly />
      {user.undeliveredAt !== null && (
        <Notice kind="warn">
          {t.undelivered} <Ago at={user.undeliveredAt} isStop />
        </Notice>
      )}
      <TextInput
        label={t.name}
        description={t.nameHint}
        name="name"
        autoComplete="name"
        defaultValue={user.name}
        required
        maxLength={limits.userNameLength}
        error={faults.name}
      />
      <div className={styles.end}>
        <Button type="submit" loading={change.isPending}>
          {uiTexts.save}
        </Button>
        <SavedMark isShown={change.isSuccess} />
      </div>
    </form>
  );
}
