import { useParams } from "@tanstack/react-router";
import { lazy, useState } from "react";
import { Part } from "../../ui/part.tsx";
import { Select } from "../../ui/select.tsx";
import page from "../trees/marked/marked-page.module.css";
import { type Choices, isEstimation, type OtherEstimations } from "./choices.ts";
import { compareTexts as t } from "./texts.ts";

const SearchDialog = lazy(async () => ({ default: (await import("./search-dialog.tsx")).SearchDialog }));

/** Stands among the ids: opens the search. */
const SEARCH = "search";

interface ContentSelectProps {
  readonly label: string;
  readonly choices: Choices;
  readonly estimations: OtherEstimations;
  /** Ids that cannot be chosen. */
  readonly without: readonly string[];
  /** "": nothing yet. */
  readonly value: string;
  readonly onPick: (id: string) => void;
}

/** Chooses what is compared: a version, another estimation that was edited lately, or any that a search finds. */
export function ContentSelect({ label, choices, estimations, without, value, onPick }: ContentSelectProps) {
  const { id: thisOne } = useParams({ from: "/frame/signed-in/estimations/$id/compare" });
  const [isSearching, setSearching] = useState(false);
  const left = without.filter((id) => id !== value);
  const versions = [...choices].filter(([id]) => !left.includes(id));
  const others = estimations.newest.filter(({ id }) => !left.includes(id));
  const isKnown = choices.has(value) || estimations.newest.some(({ id }) => id === value);
  return (
    <>
      <label className={page.picker}>
        {label}
        <Select
          value={value}
          onChange={({ currentTarget }) =>
            currentTarget.value === SEARCH ? setSearching(true) : onPick(currentTarget.value)
          }
        >
          {!isKnown && (
            <option value={value}>{value === "" ? "" : isEstimation(value) ? t.otherColumn : t.olderVersion}</option>
          )}
          {versions.length > 0 && (
            <optgroup label={t.versions}>
              {versions.map(([id, name]) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </optgroup>
          )}
          {others.length > 0 && (
            <optgroup label={t.estimations}>
              {others.map(({ id, title }) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
              {estimations.hasMore && <option value={SEARCH}>{t.search.open}</option>}
            </optgroup>
          )}
        </Select>
      </label>
      {isSearching && (
        <Part>
          <SearchDialog
            without={[thisOne, ...left]}
            onPick={(id) => {
              setSearching(false);
              onPick(id);
            }}
            onClose={() => setSearching(false)}
          />
        </Part>
      )}
    </>
  );
}
