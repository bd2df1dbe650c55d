import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Version } from "../../../../contract/endpoints/versions.ts";
import type { Operation } from "../../../../domain/versions/shape.ts";
import { Dialog, DialogEnd, DialogForm } from "../../ui/dialog.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { uiTexts } from "../../ui/texts.ts";
import { ChangeList } from "./change-list.tsx";
import { changesSinceQuery } from "./queries.ts";
import { Refusal } from "./refusal.tsx";
import { versionTexts as t } from "./texts.ts";

interface RestoreDialogProps {
  readonly estimationId: string;
  readonly version: Version;
  readonly request: { readonly isPending: boolean; readonly error: unknown };
  /** Called with the revision of the content that would be replaced. */
  readonly onConfirm: (revision: number) => void;
  readonly onClose: () => void;
}

/** Says what would be undone before a version is restored. */
export function RestoreDialog({ estimationId, version, request, onConfirm, onClose }: RestoreDialogProps) {
  const changes = useQuery(changesSinceQuery(estimationId, version.id));
  const { operations, expected, revision } = changes.data ?? {};
  const isSame = operations?.length === 0;
  return (
    <Dialog title={t.restoreTitle(version.number)} onClose={onClose} isLocked={request.isPending}>
      <DialogForm onSubmit={() => revision !== undefined && onConfirm(revision)}>
        <LoadFailure query={changes} />
        {changes.isPending && <p className="muted">{t.restoreLoading}</p>}
        {isSame && <p>{t.restoreSame}</p>}
        {operations && expected && !isSame && (
          <>
            <p>{t.restoreText(operations.length, expected.after, expected.before)}</p>
            <ChangeList estimationId={estimationId} operations={operations as Operation[]} versionIds={[version.id]} />
            <p>
              <Link to="/estimations/$id/compare" params={{ id: estimationId }} search={{ from: version.id }}>
                {t.restoreCompare}
              </Link>
            </p>
            <p className="muted">{t.restoreKept}</p>
          </>
        )}
        <Refusal error={request.error} />
        <DialogEnd>
          <Button variant="default" onClick={onClose} disabled={request.isPending}>
            {uiTexts.cancel}
          </Button>
          <Button type="submit" loading={request.isPending} disabled={!changes.isSuccess || isSame}>
            {t.restore}
          </Button>
        </DialogEnd>
      </DialogForm>
    </Dialog>
  );
}
