import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ClientLink } from "../../../../contract/endpoints/client-links.ts";
import { Dialog, DialogEnd } from "../../ui/dialog.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { formatMoment } from "../../ui/numbers/format.ts";
import { uiTexts } from "../../ui/texts.ts";
import styles from "./client-links.module.css";
import { answersQuery } from "./queries.ts";
import { clientLinkTexts } from "./texts.ts";

const t = clientLinkTexts;

/** Shows what clients have answered by a link. */
export function AnswersDialog({ link, onClose }: { readonly link: ClientLink; readonly onClose: () => void }) {
  const answers = useQuery(answersQuery(link.estimationId, link.id));
  return (
    <Dialog title={t.answersTitle} onClose={onClose}>
      <LoadFailure query={answers} />
      {answers.isPending && <SkeletonRows rows={2} />}
      {answers.data?.length === 0 && <p className="muted">{t.noAnswers}</p>}
      <ul className={styles.answers}>
        {answers.data?.map(({ id, kind, name, email, note, createdAt, version }) => (
          <li key={id}>
            <strong>{name}</strong> ({email}) {t.kinds[kind]}
            <div className="muted">
              {formatMoment(createdAt)}, {t.version(version.number)}
            </div>
            {note !== null && <p className={styles.note}>{note}</p>}
          </li>
        ))}
      </ul>
      <p className="muted">{t.claimed}</p>
      <DialogEnd>
        <Button variant="default" onClick={onClose}>
          {uiTexts.close}
        </Button>
      </DialogEnd>
    </Dialog>
  );
}
