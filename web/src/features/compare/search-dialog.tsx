import { Button } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Dialog, DialogEnd, DialogForm } from "../../ui/dialog.tsx";
import { SearchField } from "../../ui/lists/search-field.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { TextButton } from "../../ui/text-button.tsx";
import styles from "./compare.module.css";
import { foundQuery } from "./queries.ts";
import { compareTexts as t } from "./texts.ts";

interface SearchDialogProps {
  /** Ids that cannot be chosen. */
  readonly without: readonly string[];
  readonly onPick: (id: string) => void;
  readonly onClose: () => void;
}

/** Finds an estimation by its title. */
export function SearchDialog({ without, onPick, onClose }: SearchDialogProps) {
  const [q, setQ] = useState<string>();
  const query = useQuery({ ...foundQuery(q), placeholderData: keepPreviousData });
  const found = query.data?.filter(({ id }) => !without.includes(id));
  return (
    <Dialog title={t.search.title} onClose={onClose}>
      <DialogForm onSubmit={() => {}}>
        <SearchField label={t.search.label} q={q} onChange={setQ} />
        {found ? (
          <ul aria-label={t.estimations} aria-busy={query.isPlaceholderData} className={styles.found}>
            {found.map(({ id, title }) => (
              <li key={id}>
                <TextButton onClick={() => onPick(id)}>{title}</TextButton>
              </li>
            ))}
          </ul>
        ) : query.error === null ? (
          <SkeletonRows rows={5} />
        ) : (
          <LoadFailure query={query} />
        )}
        <p role="status" className={styles.none}>
          {found?.length === 0 ? t.search.none : ""}
        </p>
        <DialogEnd>
          <Button variant="default" onClick={onClose}>
            {t.search.cancel}
          </Button>
        </DialogEnd>
      </DialogForm>
    </Dialog>
  );
}
