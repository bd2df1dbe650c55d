import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Template } from "../../../../contract/endpoints/templates.ts";
import { api } from "../../api/client.ts";
import { failureText, faultsByField } from "../../api/failure.ts";
import { keys } from "../../api/keys.ts";
import { Dialog, DialogEnd, DialogForm } from "../../ui/dialog.tsx";
import { Notice } from "../../ui/notice.tsx";
import { uiTexts } from "../../ui/texts.ts";
import { readTemplate, TemplateFields, type Written } from "./template-fields.tsx";
import { templateTexts as t } from "./texts.ts";

interface EditProps {
  readonly template: Template;
  readonly onClose: () => void;
}

/** Changes the name and description of a template of the reader's, and who sees it. */
export function EditDialog({ template, onClose }: EditProps) {
  const queries = useQueryClient();
  const edit = useMutation({
    mutationFn: (written: Written) => api.updateTemplate({ params: { id: template.id }, body: written }),
    onSuccess: async () => {
      void queries.invalidateQueries({ queryKey: keys.templates });
      await queries.invalidateQueries({ queryKey: keys.template(template.id) });
      onClose();
    },
  });
  const faults = faultsByField(edit.error);
  const isUnplaced = edit.isError && Object.keys(faults).length === 0;
  return (
    <Dialog title={t.editTitle} onClose={onClose} isLocked={edit.isPending}>
      <DialogForm onSubmit={(fields) => edit.mutate(readTemplate(fields))}>
        <TemplateFields template={template} faults={faults} />
        {isUnplaced && <Notice kind="bad">{failureText(edit.error)}</Notice>}
        <DialogEnd>
          <Button variant="default" onClick={onClose} disabled={edit.isPending}>
            {uiTexts.cancel}
          </Button>
          <Button type="submit" loading={edit.isPending}>
            {uiTexts.save}
          </Button>
        </DialogEnd>
      </DialogForm>
    </Dialog>
  );
}
