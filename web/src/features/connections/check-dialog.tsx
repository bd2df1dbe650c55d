import { Button, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Connection } from "../../../../contract/endpoints/connections.ts";
import { limits } from "../../../../contract/limits.ts";
import { api } from "../../api/client.ts";
import { failureText, faultsByField } from "../../api/failure.ts";
import { Dialog, DialogEnd, DialogForm } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { uiTexts } from "../../ui/texts.ts";
import { WithLinks } from "../../ui/with-links.tsx";
import { profileTexts } from "../profile/texts.ts";
import styles from "./check-dialog.module.css";
import { connectionsQuery } from "./queries.ts";
import { connectionTexts } from "./texts.ts";

const t = connectionTexts;

interface CheckDialogProps {
  readonly connection: Connection;
  readonly onClose: () => void;
}

/** Asks the tracker whether the connection works, and on request whether a repository or project can be exported to. */
export function CheckDialog({ connection: { id, name, target }, onClose }: CheckDialogProps) {
  const queries = useQueryClient();
  const check = useMutation({
    mutationFn: async (project: string) => {
      const named = target === "jira" ? { projectKey: project } : { repository: project };
      return (await api.checkConnection({ params: { id }, body: project === "" ? {} : named })).data;
    },
    // A token that is refused shows in the list.
    onSuccess: () => queries.invalidateQueries(connectionsQuery),
  });
  const faults = faultsByField(check.error);
  const fault = faults.repository ?? faults.projectKey;
  return (
    <Dialog title={t.checkTitle(name)} onClose={onClose}>
      <DialogForm onSubmit={(form) => check.mutate(String(form.get("project")).trim())}>
        <TextInput
          label={profileTexts.optional(t.projects[target])}
          description={t.projectHints[target]}
          name="project"
          maxLength={target === "jira" ? limits.projectKeyLength : limits.repositoryLength}
          error={fault}
          autoFocus
        />
        <div aria-live="polite">
          {check.isError && fault === undefined && <Notice kind="bad">{failureText(check.error)}</Notice>}
          {check.data?.ok && (
            <Notice kind="good">{check.variables === "" ? t.works : t.worksFor(check.variables)}</Notice>
          )}
          {check.data && !check.data.ok && (
            <ul className={styles.problems}>
              {check.data.problems.map(({ code, message, remedy }) => (
                <li key={code} className={styles.problem}>
                  <p>
                    <WithLinks text={message} />
                  </p>
                  <p>{remedy}</p>
                </li>
              ))}
            </ul>
          )}
        </div>
        <DialogEnd>
          <Button variant="default" onClick={onClose}>
            {uiTexts.close}
          </Button>
          <Button type="submit" loading={check.isPending}>
            {t.checkAction}
          </Button>
        </DialogEnd>
      </DialogForm>
    </Dialog>
  );
}
