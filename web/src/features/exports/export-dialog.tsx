import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { Connection } from "../../../../contract/endpoints/connections.ts";
import type { Export } from "../../../../contract/endpoints/exports.ts";
import { limits } from "../../../../contract/limits.ts";
import { api } from "../../api/client.ts";
import { failureText, faultsByField } from "../../api/failure.ts";
import { keys } from "../../api/keys.ts";
import { Dialog, DialogEnd, DialogForm } from "../../ui/dialog.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Notice } from "../../ui/notice.tsx";
import { uiTexts } from "../../ui/texts.ts";
import { WithLinks } from "../../ui/with-links.tsx";
import { connectionsQuery } from "../connections/queries.ts";
import styles from "./exports.module.css";
import { IssueTypes } from "./issue-types.tsx";
import { lastExportQuery } from "./queries.ts";
import { exportTexts as t } from "./texts.ts";
import { useSettled } from "./use-settled.ts";

interface DialogProps {
  readonly estimationId: string;
  /** The last run, whose project is proposed. */
  readonly last: Export | null;
  readonly onClose: () => void;
}

/** Asks where to export to. */
export function ExportDialog(props: DialogProps) {
  const list = useInfiniteQuery(connectionsQuery);
  const connections = list.data?.pages.flatMap((page) => page.connections) ?? [];
  return (
    <Dialog title={t.title} onClose={props.onClose}>
      <LoadFailure query={list} />
      {list.isPending && <SkeletonRows rows={3} />}
      {list.isSuccess && connections.length === 0 && (
        <>
          <p className="muted">{t.noConnection}</p>
          <DialogEnd>
            <Button variant="default" onClick={props.onClose}>
              {uiTexts.cancel}
            </Button>
            <LinkButton to="/profile/connections">{t.connect}</LinkButton>
          </DialogEnd>
        </>
      )}
      {connections.length > 0 && <ExportForm {...props} connections={connections} />}
    </Dialog>
  );
}

function ExportForm({
  estimationId: id,
  last,
  onClose,
  connections,
}: DialogProps & { connections: readonly Connection[] }) {
  const queries = useQueryClient();
  const listId = useId();
  const proposed = connections.find((connection) => connection.id === last?.connectionId);
  const [connectionId, setConnectionId] = useState((proposed ?? connections[0])?.id ?? "");
  const [project, setProject] = useState((proposed && (last?.repository ?? last?.projectKey)) || "");
  const target = connections.find((connection) => connection.id === connectionId)?.target ?? "github";
  const { projects, problems } = useProjects(connectionId, project);
  const start = useMutation({
    mutationFn: async ({ form, dryRun }: { readonly form: FormData; readonly dryRun: boolean }) => {
      const issueType = String(form.get("issueType") ?? "").trim();
      const body = {
        target,
        connectionId,
        ...(target === "github" ? { repository: project.trim() } : { projectKey: project.trim() }),
        ...(issueType === "" ? {} : { issueType }),
        dryRun,
        recreateDeleted: form.get("recreate") !== null,
      };
      return (await api.exportTasks({ params: { id }, body })).data.export;
    },
    onSuccess: (run) => {
      queries.setQueryData(lastExportQuery(id).queryKey, run);
      onClose();
    },
    onError: () => queries.invalidateQueries({ queryKey: lastExportQuery(id).queryKey }),
  });
  const faults = faultsByField(start.error);
  const fault = faults.repository ?? faults.projectKey;
  const isDryRun = (form: FormData) => form.get("how") === "dryRun";
  return (
    <DialogForm onSubmit={(form) => start.mutate({ form, dryRun: isDryRun(form) })}>
      {start.isError && fault === undefined && faults.issueType === undefined && (
        <Notice kind="bad">{failureText(start.error)}</Notice>
      )}
      <NativeSelect
        label={t.connection}
        value={connectionId}
        onChange={(event) => {
          setConnectionId(event.currentTarget.value);
          setProject("");
        }}
        data={connections.map((each) => ({ value: each.id, label: `${each.name} (${t.targets[each.target]})` }))}
      />
      <TextInput
        label={t.projects[target]}
        description={t.projectHints[target]}
        list={listId}
        required
        autoComplete="off"
        maxLength={target === "github" ? limits.repositoryLength : limits.projectKeyLength}
        value={project}
        onChange={(event) => setProject(event.currentTarget.value)}
        error={fault}
      />
      <datalist id={listId}>
        {projects.map(({ key, name }) => (
          <option key={key} value={key} label={name} />
        ))}
      </datalist>
      {problems.map(({ code, message, remedy }) => (
        <Notice key={code} kind="info">
          <WithLinks text={`${message} ${remedy}`} />
        </Notice>
      ))}
      {target === "jira" && (
        <IssueTypes
          key={connectionId}
          connectionId={connectionId}
          project={project}
          initial={proposed?.id === connectionId ? (last?.issueType ?? "") : ""}
          fault={faults.issueType}
        />
      )}
      <fieldset className={styles.how}>
        <legend className="unseen">{t.action}</legend>
        <label className={styles.check}>
          <input type="radio" name="how" value="dryRun" defaultChecked /> {t.dryRun}
          <span className="muted">{t.dryRunHint}</span>
        </label>
        <label className={styles.check}>
          <input type="radio" name="how" value="export" /> {t.action}
        </label>
      </fieldset>
      <label className={styles.check}>
        <input type="checkbox" name="recreate" /> {t.recreate}
      </label>
      <DialogEnd>
        <Button variant="default" onClick={onClose}>
          {uiTexts.cancel}
        </Button>
        <Button type="submit" loading={start.isPending}>
          {t.startAction}
        </Button>
      </DialogEnd>
    </DialogForm>
  );
}

/**
 * Returns repositories or projects that the connection can reach, once the user pauses typing, and what keeps them from being
 * all; none if they cannot be listed.
 */
function useProjects(connectionId: string, written: string) {
  const q = useSettled(written.trim());
  const search = useQuery({
    queryKey: keys.projects(connectionId, q),
    queryFn: async () => {
      const query = q === "" ? {} : { q };
      return (await api.listConnectionProjects({ params: { id: connectionId }, query })).data;
    },
    staleTime: 60_000,
    retry: false,
  });
  return search.data ?? NOTHING_LISTED;
}

const NOTHING_LISTED = { projects: [], problems: [] };
