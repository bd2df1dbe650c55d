import { Button } from "@mantine/core";
import { useState } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import type { Task } from "../../../../contract/endpoints/tasks.ts";
import { failureText } from "../../api/failure.ts";
import { Dialog, DialogEnd, DialogForm } from "../../ui/dialog.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Notice } from "../../ui/notice.tsx";
import { uiTexts } from "../../ui/texts.ts";
import { ConflictChoices } from "./conflict-choices.tsx";
import { type Choices, keyOf } from "./decisions.ts";
import { GenerationPreview } from "./generation-preview.tsx";
import { taskTexts as t } from "./texts.ts";
import { useGeneration } from "./use-generation.ts";

interface GenerateProps {
  readonly estimation: Estimation;
  /** The tasks as they are; null if not all of them are loaded. */
  readonly known: readonly Task[] | null;
  readonly onClose: () => void;
}

/** Shows what generating would do, lets the reader choose where people and the tree disagree, and does it. */
export function GenerateDialog({ estimation, known, onClose }: GenerateProps) {
  const [choices, setChoices] = useState<Choices>({});
  const { preview, generate, decide, after } = useGeneration(estimation.id, choices, onClose);
  const shown = after ?? preview.data;
  const conflicts = after?.undecided ?? shown?.summary.conflicts ?? [];
  const submit = () => {
    if (after === null) generate.mutate();
    else decide.mutate(after);
  };
  return (
    <Dialog title={t.previewTitle} onClose={onClose}>
      <DialogForm onSubmit={submit}>
        <LoadFailure query={preview} />
        {preview.isPending && <SkeletonRows rows={4} />}
        {generate.isError && (
          <Notice kind={generate.isStale ? "warn" : "bad"}>
            {generate.isStale ? t.stale : failureText(generate.error)}
          </Notice>
        )}
        {decide.isError && (
          <Notice kind="bad">
            {t.notDecided} {failureText(decide.error)}
          </Notice>
        )}
        {after !== null && after.undecided.length > 0 && <Notice kind="warn">{t.conflictsAfter}</Notice>}
        {shown && after === null && <GenerationPreview generation={shown} known={known} status={estimation.status} />}
        {shown && conflicts.length > 0 && (
          <ConflictChoices
            conflicts={conflicts}
            tasks={shown.tasks}
            choices={choices}
            onChoose={(conflict, side) => setChoices((before) => ({ ...before, [keyOf(conflict)]: side }))}
          />
        )}
        <DialogEnd>
          <Button variant="default" onClick={onClose}>
            {after === null ? uiTexts.cancel : uiTexts.close}
          </Button>
          <Button
            type="submit"
            loading={generate.isPending || decide.isPending || preview.isFetching}
            disabled={shown === undefined}
          >
            {after === null ? t.action : t.decide}
          </Button>
        </DialogEnd>
      </DialogForm>
    </Dialog>
  );
}
