import { Button, NativeSelect } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Template } from "../../../../contract/endpoints/templates.ts";
import { api } from "../../api/client.ts";
import { failureText } from "../../api/failure.ts";
import { keys } from "../../api/keys.ts";
import { Dialog, DialogEnd, DialogForm } from "../../ui/dialog.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { Notice } from "../../ui/notice.tsx";
import { uiTexts } from "../../ui/texts.ts";
import { estimationsQuery } from "./queries.ts";
import { templateTexts as t } from "./texts.ts";

interface AddProps {
  readonly template: Template;
  readonly onClose: () => void;
}

/** Adds a template to a draft, and opens it. */
export function AddDialog({ template, onClose }: AddProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const drafts = useQuery(estimationsQuery(true));
  const add = useMutation({
    mutationFn: (id: string) =>
      api.applyTemplate({ params: { id }, body: { templateId: template.id, mode: "append" } }),
    onSuccess: async (_, id) => {
      for (const queryKey of [keys.estimations, keys.estimation(id)]) void queries.invalidateQueries({ queryKey });
      await navigate({ to: "/estimations/$id", params: { id } });
    },
  });
  const all = drafts.data ?? [];
  return (
    <Dialog title={t.add} onClose={onClose} isLocked={add.isPending}>
      <DialogForm onSubmit={(fields) => add.mutate(String(fields.get("estimation")))}>
        {drafts.isPending && <SkeletonRows rows={2} />}
        {drafts.isError && <Notice kind="bad">{failureText(drafts.error)}</Notice>}
        {drafts.isSuccess && all.length === 0 && <p>{t.noDrafts}</p>}
        {all.length > 0 && (
          <>
            <p className="muted">{t.addText(t.size(template.nodes, template.options))}</p>
            <NativeSelect
              label={t.estimation}
              name="estimation"
              data={all.map(({ id: value, title: label }) => ({ value, label }))}
              autoFocus
            />
          </>
        )}
        {add.isError && <Notice kind="bad">{failureText(add.error)}</Notice>}
        <DialogEnd>
          <Button variant="default" onClick={onClose} disabled={add.isPending}>
            {uiTexts.cancel}
          </Button>
          <Button type="submit" loading={add.isPending} disabled={all.length === 0}>
            {t.addAction}
          </Button>
        </DialogEnd>
      </DialogForm>
    </Dialog>
  );
}
