import { Button, NativeSelect, TextInput, UnstyledButton } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { limits } from "../../../../contract/limits.ts";
import { estimationStatuses } from "../../../../contract/statuses.ts";
import { texts } from "../../texts.ts";
import { IconClose, IconSearch } from "../../ui/icons.tsx";
import styles from "./list-page.module.css";
import { accessFilters, type ListSearch, readListSearch } from "./list-search.ts";

const t = texts.estimations;

interface FiltersProps {
  readonly search: ListSearch;
  readonly isFiltered: boolean;
  readonly onChange: (changes: ListSearch) => void;
}

const NONE: ListSearch = { q: undefined, status: undefined, access: undefined, tag: undefined };

export function Filters({ search, isFiltered, onChange }: FiltersProps) {
  const choose = (name: keyof ListSearch, value: string) =>
    onChange({ [name]: readListSearch({ [name]: value })[name] });
  return (
    <search className={styles.filters} aria-label={t.filters}>
      <SearchField q={search.q} onChange={(q) => onChange({ q })} />
      <NativeSelect
        className={styles.select}
        aria-label={t.status}
        value={search.status ?? ""}
        onChange={(event) => choose("status", event.currentTarget.value)}
        data={[
          { value: "", label: t.anyStatus },
          ...estimationStatuses.map((value) => ({ value, label: t.statuses[value] })),
        ]}
      />
      <NativeSelect
        className={styles.select}
        aria-label={t.access}
        value={search.access ?? ""}
        onChange={(event) => choose("access", event.currentTarget.value)}
        data={[
          { value: "", label: t.anyAccess },
          ...accessFilters.map((value) => ({ value, label: value === "shared" ? t.shared : t.levels[value] })),
        ]}
      />
      <NativeSelect
        className={styles.select}
        aria-label={t.sort}
        value={search.sort ?? "updatedAt"}
        onChange={(event) => choose("sort", event.currentTarget.value)}
        data={Object.entries(t.sorts).map(([value, label]) => ({ value, label }))}
      />
      {search.tag !== undefined && (
        <UnstyledButton
          className={styles.chip}
          aria-label={t.removeTag(search.tag)}
          onClick={() => onChange({ tag: undefined })}
        >
          #{search.tag} <IconClose size={12} />
        </UnstyledButton>
      )}
      {isFiltered && (
        <Button variant="subtle" size="compact-sm" onClick={() => onChange(NONE)}>
          {t.clear}
        </Button>
      )}
    </search>
  );
}

const PAUSE_MS = 200;

/** Searches when the reader pauses. What another navigation changes shows at once. */
function SearchField({
  q = "",
  onChange,
}: {
  readonly q: string | undefined;
  readonly onChange: (q: string | undefined) => void;
}) {
  const [written, setWritten] = useState(q);
  const sent = useRef(q);
  useEffect(() => {
    if (q === sent.current) return;
    sent.current = q;
    setWritten(q);
  }, [q]);
  useEffect(() => {
    if (written === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = written;
      onChange(written === "" ? undefined : written);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [written, onChange]);
  return (
    <TextInput
      className={styles.search}
      type="search"
      aria-label={t.search}
      placeholder={t.search}
      leftSection={<IconSearch />}
      maxLength={limits.searchLength}
      value={written}
      onChange={(event) => setWritten(event.currentTarget.value)}
    />
  );
}
