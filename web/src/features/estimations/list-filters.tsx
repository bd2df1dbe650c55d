import { Button, NativeSelect, TextInput } from "@mantine/core";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { limits } from "../../../../contract/limits.ts";
import { accessLevels } from "../../../../contract/rights.ts";
import { estimationStatuses } from "../../../../contract/values/statuses.ts";
import { IconSearch } from "../../ui/icons.tsx";
import { PickMany } from "../../ui/lists/pick-many.tsx";
import styles from "./list-page.module.css";
import { isFiltered, type ListSearch, readListSearch } from "./list-search.ts";
import { estimationTexts } from "./texts.ts";

const t = estimationTexts.estimations;

interface FiltersProps {
  readonly search: ListSearch;
  /** Tags to choose from, beside those that are chosen and those that the reader writes. */
  readonly knownTags: readonly string[];
  readonly onChange: (changes: ListSearch) => void;
}

const NONE: ListSearch = { q: undefined, status: undefined, access: undefined, tag: undefined };

const STATUSES = estimationStatuses.map((value) => ({ value, label: t.statuses[value] }));
const LEVELS = accessLevels.map((value) => ({ value, label: t.levels[value] }));

export function Filters({ search, knownTags, onChange }: FiltersProps) {
  const choose = (name: keyof ListSearch, value: unknown) =>
    onChange({ [name]: readListSearch({ [name]: value })[name] });
  return (
    <search className={styles.filters} aria-label={t.filters}>
      <SearchField q={search.q} onChange={(q) => onChange({ q })} />
      <PickMany
        label={t.status}
        options={STATUSES}
        chosen={search.status ?? []}
        onChange={(chosen) => choose("status", chosen)}
      />
      <PickMany
        label={t.access}
        options={LEVELS}
        chosen={search.access ?? []}
        onChange={(chosen) => choose("access", chosen)}
      />
      <TagFilter chosen={search.tag ?? []} known={knownTags} onChange={(chosen) => choose("tag", chosen)} />
      <NativeSelect
        className={styles.select}
        aria-label={t.sort}
        value={search.sort ?? "updatedAt"}
        onChange={(event) => choose("sort", event.currentTarget.value)}
        data={Object.entries(t.sorts).map(([value, label]) => ({ value, label }))}
      />
      {isFiltered(search) && (
        <Button variant="subtle" size="compact-sm" onClick={() => onChange(NONE)}>
          {t.clear}
        </Button>
      )}
    </search>
  );
}

interface TagFilterProps {
  readonly chosen: readonly string[];
  readonly known: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** The tags of what the list shows, and any other that the reader writes. */
function TagFilter({ chosen, known, onChange }: TagFilterProps) {
  const [written, setWritten] = useState("");
  const isFull = chosen.length >= limits.filterTags;
  const tags = [...new Set([...chosen, ...known])].toSorted((a, b) => a.localeCompare(b));
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (written.trim() === "" || isFull) return;
    onChange([...chosen, written.trim()]);
    setWritten("");
  };
  return (
    <PickMany
      label={t.tag}
      options={tags.map((value) => ({ value, label: `#${value}` }))}
      chosen={chosen}
      onChange={onChange}
    >
      <form onSubmit={add}>
        <TextInput
          className={styles.tagInput}
          aria-label={t.addTag}
          placeholder={t.addTagHint}
          autoComplete="off"
          maxLength={limits.tagLength}
          readOnly={isFull}
          error={isFull && t.tagsFull}
          value={written}
          onChange={(event) => setWritten(event.currentTarget.value)}
        />
      </form>
    </PickMany>
  );
}

const PAUSE_MS = 200;

/** Searches when the reader pauses. Changes by navigation show at once. */
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
