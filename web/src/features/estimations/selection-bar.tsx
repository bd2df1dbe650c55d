import { Button } from "@mantine/core";
import { lazy, useState } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import { api } from "../../api/client.ts";
import { keys } from "../../api/keys.ts";
import { NoticeButton } from "../../ui/notice.tsx";
import { Part } from "../../ui/part.tsx";
import { bulkTexts } from "./bulk-texts.ts";
import { DownloadMenu, saidDownloaded, useDownloads } from "./download-selected.tsx";
import { EachReport } from "./each-report.tsx";
import { listTexts as t } from "./list-texts.ts";
import { mayEdit } from "./rights.ts";
import styles from "./selection-bar.module.css";
import { SelectionSum } from "./selection-sum.tsx";
import { TagForm } from "./tag-form.tsx";
import { useEach } from "./use-each.ts";

const ShareSelected = lazy(async () => ({ default: (await import("./share-selected.tsx")).ShareSelected }));

/** Each is a request of its own: more would take minutes, and reach the limit of requests. */
const SELECTED_MAX = 500;

interface SelectionBarProps {
  /** What the list shows. */
  readonly rows: readonly Estimation[];
  /** The ids of those that are selected. */
  readonly picked: ReadonlySet<string>;
  readonly onPick: (picked: ReadonlySet<string>) => void;
}

/** What can be done with the selected estimations of the list, and what was done with them. */
export function SelectionBar({ rows, picked, onPick }: SelectionBarProps) {
  const chosen = rows.filter(({ id }) => picked.has(id));
  const [isSharing, setSharing] = useState(false);
  const changes = [keys.estimations];
  const remove = useEach({ each: ({ id }, _: null) => api.deleteEstimation({ params: { id } }), changes });
  const restore = useEach({ each: ({ id }, _: null) => api.restoreDeletedEstimation({ params: { id } }), changes });
  const add = useEach({
    each: ({ id, tags }, given: string) =>
      api.updateEstimation({ params: { id }, body: { tags: [...new Set([...tags, given])] } }),
    changes,
  });
  const downloads = useDownloads();
  const runs = [remove, restore, add, downloads];
  const isRunning = runs.some(({ progress }) => progress !== null);
  /** What was done before is no longer said. */
  const forget = () => {
    for (const run of runs) run.reset();
  };
  const isOwn = chosen.every(({ access }) => access === "owner");
  const isTooMany = chosen.length > SELECTED_MAX;
  const isUnable = chosen.length === 0 || isTooMany || isRunning;
  const isShareable = chosen.some(({ access }) => access === "owner");
  return (
    <section aria-label={t.selection} className={styles.bar} data-over>
      <EachReport
        run={remove}
        said={({ done }) => t.removed(done.length)}
        action={
          <NoticeButton
            onClick={() => {
              const removed = remove.outcome?.done ?? [];
              forget();
              restore.start(removed, null);
            }}
          >
            {t.undo}
          </NoticeButton>
        }
      />
      <EachReport run={restore} said={() => null} />
      <EachReport run={add} said={({ done }, tag) => t.tagged(done.length, tag)} />
      <EachReport run={downloads} said={saidDownloaded} />
      {isTooMany && <p className="muted">{t.tooMany(SELECTED_MAX)}</p>}
      {chosen.length > 1 && <SelectionSum chosen={chosen} />}
      <div className={styles.actions}>
        <strong role="status">{t.selected(chosen.length)}</strong>
        <TagForm
          editable={isTooMany || isRunning ? [] : chosen.filter(mayEdit)}
          isRunning={add.progress !== null}
          onAdd={(editable, tag) => {
            forget();
            add.start(editable, tag);
          }}
        />
        <Button
          variant="default"
          disabled={isUnable || !isShareable}
          {...(chosen.length > 0 && !isShareable && { "data-hint": bulkTexts.shareOwn })}
          onClick={() => setSharing(true)}
        >
          {bulkTexts.share}
        </Button>
        {chosen.length > 0 && !isTooMany && (
          <DownloadMenu
            onChoose={(given) => {
              if (isRunning) return;
              forget();
              downloads.start(chosen, given);
            }}
          />
        )}
        <Button
          variant="default"
          loading={remove.progress !== null}
          disabled={isUnable || !isOwn}
          {...(!isOwn && { "data-hint": t.ownOnly })}
          onClick={() => {
            forget();
            remove.start(chosen, null);
          }}
        >
          {t.remove}
        </Button>
        {chosen.length < rows.length && (
          <Button variant="subtle" disabled={isRunning} onClick={() => onPick(new Set(rows.map(({ id }) => id)))}>
            {t.selectAll(rows.length)}
          </Button>
        )}
        <Button variant="subtle" disabled={isRunning} onClick={() => onPick(new Set())}>
          {t.clearSelection}
        </Button>
      </div>
      {isSharing && (
        <Part>
          <ShareSelected chosen={chosen} onClose={() => setSharing(false)} />
        </Part>
      )}
    </section>
  );
}
