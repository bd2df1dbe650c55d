import { Button } from "@mantine/core";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type MailSetting, mailSettingNames } from "../../../../contract/mails.ts";
import { api } from "../../api/client.ts";
import { failureText, isRefusal } from "../../api/failure.ts";
import { keys } from "../../api/keys.ts";
import type { First } from "../../app/first.ts";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Message } from "../../ui/message.tsx";
import { Notice } from "../../ui/notice.tsx";
import { SavedMark } from "../../ui/saved-mark.tsx";
import { Switch } from "../../ui/switch.tsx";
import { useTitle } from "../../ui/use-title.ts";
import { PageHead } from "../profile/page-head.tsx";
import styles from "./notifications-page.module.css";
import { notificationTexts } from "./texts.ts";

const t = notificationTexts;

const settingsQuery = queryOptions({
  queryKey: keys.notifications,
  queryFn: async () => (await api.getNotifications()).data.notifications,
});

export const first: First = () => [settingsQuery];

export function NotificationsPage() {
  useTitle(t.title);
  const settings = useQuery(settingsQuery);
  if (isRefusal(settings.error, "forbidden")) return <Unverified />;
  return (
    <>
      <PageHead title={t.title} intro={t.intro} />
      <LoadFailure query={settings} />
      {settings.isPending && <SkeletonRows rows={mailSettingNames.length} />}
      {settings.data && (
        <ul className={styles.list}>
          {mailSettingNames.map((name) => (
            <Setting key={name} name={name} isOn={settings.data[name]} />
          ))}
        </ul>
      )}
    </>
  );
}

/** A switch, which shows at once what was chosen; a failure puts it back. */
function Setting({ name, isOn }: { readonly name: MailSetting; readonly isOn: boolean }) {
  const queries = useQueryClient();
  const change = useMutation({
    // One after the other: each response has all settings.
    scope: { id: "notifications" },
    mutationFn: (on: boolean) => api.updateNotifications({ body: { [name]: on } }),
    onSuccess: ({ data }) => queries.setQueryData(settingsQuery.queryKey, data.notifications),
  });
  const shown = change.isPending ? change.variables : isOn;
  return (
    <li>
      <div className={styles.row}>
        <label htmlFor={name} className={styles.kind}>
          {t.kinds[name]} <span className={styles.when}>{t.meanings[name]}</span>
        </label>
        <SavedMark isShown={change.isSuccess} />
        <Switch id={name} checked={shown} onChange={(event) => change.mutate(event.currentTarget.checked)} />
      </div>
      {change.isError && <Notice kind="bad">{failureText(change.error)}</Notice>}
    </li>
  );
}

function Unverified() {
  const resend = useMutation({ mutationFn: () => api.resendVerification() });
  return (
    <Message title={t.unverifiedTitle} text={t.unverified}>
      {resend.isSuccess ? (
        t.resent
      ) : (
        <Button loading={resend.isPending} onClick={() => resend.mutate()}>
          {t.resend}
        </Button>
      )}
      {resend.isError && <Notice kind="bad">{failureText(resend.error)}</Notice>}
    </Message>
  );
}
