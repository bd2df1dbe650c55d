import { Button, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { limits } from "../../../../contract/limits.ts";
import { accessLevels } from "../../../../contract/rights.ts";
import { estimationStatuses } from "../../../../contract/values/statuses.ts";
import { IconClose } from "../../ui/icons.tsx";
import { PickMany } from "../../ui/lists/pick-many.tsx";
import { SearchField } from "../../ui/lists/search-field.tsx";
import { Select } from "../../ui/select.tsx";
import { teamsQuery } from "../teams/teams-query.ts";
import styles from "./list-page.module.css";
import { filtersOf, isFiltered, type ListSearch, readListSearch, scopeOf } from "./list-search.ts";
import { estimationTexts } from "./texts.ts";

const t = estimationTexts.estimations;

interface FiltersProps {
  readonly search: ListSearch;
  /** Tags to choose from, beside those that are chosen and those that the reader writes. */
  readonly knownTags: readonly string[];
  /** The name of the user whose estimations show, if it is known. */
  readonly ownerName: string | undefined;
  readonly onChange: (changes: ListSearch) => void;
  /** What is chosen beside the filters. */
  readonly view: ReactNode;
}

const SCOPES = ["all", "mine", "shared"] as const;

const NONE: ListSearch = {
  q: undefined,
  status: undefined,
  access: undefined,
  tag: undefined,
  team: undefined,
  owner: undefined,
};

const STATUSES = estimationStatuses.map((value) => ({ value, label: t.statuses[value] }));
const LEVELS = accessLevels.map((value) => ({ value, label: t.levels[value] }));

export function Filters({ search, knownTags, ownerName, onChange, view }: FiltersProps) {
  const choose = (name: keyof ListSearch, value: unknown) =>
    onChange({ [name]: readListSearch({ [name]: value })[name] });
  return (
    <search className={styles.filters} aria-label={t.filters}>
      <SearchField label={t.search} className={styles.search} q={search.q} onChange={(q) => onChange({ q })} />
      <ScopeSwitch search={search} onChange={onChange} />
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
      {search.owner !== undefined && (
        <Button
          variant="default"
          rightSection={<IconClose size={14} />}
          aria-label={t.anyOwner}
          onClick={() => onChange({ owner: undefined })}
        >
          {t.ownedBy(ownerName)}
        </Button>
      )}
      <Filter
        label={t.sort}
        value={search.sort ?? "updatedAt"}
        onChange={(value) => choose("sort", value)}
        options={Object.entries(t.sorts).map(([value, label]) => ({ value, label }))}
      />
      {view}
      {isFiltered(search) && (
        <Button variant="subtle" size="compact-sm" onClick={() => onChange(NONE)}>
          {t.clear}
        </Button>
      )}
    </search>
  );
}

/** Switches between everything, the reader's own, what others share, and what is shared with a team of the reader. */
function ScopeSwitch({ search, onChange }: Pick<FiltersProps, "search" | "onChange">) {
  const teams = useQuery(teamsQuery);
  const scope = scopeOf(search);
  const chosen = typeof scope === "object" ? scope.team : scope;
  const known = (teams.data ?? [])
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .map(({ id: value, name: label }) => ({ value, label }));
  const isUnknown = typeof scope === "object" && known.every(({ value }) => value !== scope.team);
  return (
    <Filter
      label={t.scope}
      value={chosen}
      onChange={(value) => onChange(filtersOf(SCOPES.find((one) => one === value) ?? { team: value }))}
      options={[
        ...SCOPES.map((value) => ({ value, label: t.scopes[value] })),
        ...known,
        ...(isUnknown ? [{ value: chosen, label: t.otherTeam }] : []),
      ]}
    />
  );
}

interface FilterProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (value: string) => void;
}

const Filter = ({ label, value, options, onChange }: FilterProps) => (
  <Select
    className={styles.select}
    aria-label={label}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  >
    {options.map((option) => (
      <option key={option.value} value={option.value}>
        {option.label}
      </option>
    ))}
  </Select>
);

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
