import { Button } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useId, useRef } from "react";
import type { Preferences } from "../../../../contract/endpoints/preferences.ts";
import { type ListColumn, listColumns } from "../../../../contract/values/list-columns.ts";
import { failureText } from "../../api/failure.ts";
import pick from "../../ui/lists/pick-many.module.css";
import { showBelow } from "../../ui/lists/show-below.ts";
import menu from "../../ui/menu.module.css";
import { Notice } from "../../ui/notice.tsx";
import { PopPanel } from "../../ui/pop-panel.tsx";
import type { ListSearch } from "./list-search.ts";
import { listTexts as t } from "./list-texts.ts";
import { SavedViews } from "./saved-views.tsx";
import { estimationTexts } from "./texts.ts";
import { useChangePreferences } from "./use-preferences.ts";
import { addressOf, hideOf } from "./view-address.ts";
import styles from "./view-options.module.css";

const { columns, view } = estimationTexts.estimations;
const NAMES = { ...columns, hours: columns.p80 };

interface ViewOptionsProps {
  /** What the list shows. */
  readonly search: ListSearch;
  readonly preferences: Preferences | undefined;
}

/** Saved views and the columns of the list. It opens as soon as it is there: it is loaded when somebody asks for it. */
export function ViewOptions({ search, preferences }: ViewOptionsProps) {
  const id = useId();
  const trigger = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const { history } = useRouter();
  const change = useChangePreferences();
  const open = () => {
    if (!trigger.current || !panel.current) return;
    showBelow(trigger.current, panel.current);
    panel.current.querySelector<HTMLElement>("button, input")?.focus();
  };
  useEffect(() => trigger.current?.click(), []);
  const { hide = preferences?.hiddenColumns ?? [] } = search;
  const hidden = listColumns.filter((column) => hide.includes(column));
  /** Those of a view change with its address, and what the reader prefers otherwise stays. */
  const hideColumns = (now: ListColumn[]) => {
    if (search.hide === undefined) change.mutate({ hiddenColumns: now });
    else history.replace(addressOf({ ...search, hide: hideOf(now) }));
  };
  return (
    <>
      <Button
        ref={trigger}
        variant="default"
        aria-haspopup="dialog"
        aria-expanded={false}
        aria-controls={id}
        onClick={open}
      >
        {view}
      </Button>
      <PopPanel ref={panel} id={id} label={view} className={styles.panel}>
        {change.isError && <Notice kind="bad">{failureText(change.error)}</Notice>}
        <SavedViews
          saved={preferences?.savedFilters ?? []}
          search={search}
          hidden={hidden}
          onSave={(savedFilters) => change.mutate({ savedFilters })}
          onShow={(address) => {
            panel.current?.hidePopover();
            history.push(address);
          }}
          onFocusLost={() => panel.current?.focus()}
        />
        <fieldset className={styles.part}>
          <legend>{search.hide === undefined ? t.columns : t.columnsOfView}</legend>
          {listColumns.map((column) => (
            <label key={column} className={`${menu.item} ${pick.item}`}>
              <input
                type="checkbox"
                checked={!hidden.includes(column)}
                onChange={({ currentTarget: { checked } }) =>
                  hideColumns(checked ? hidden.filter((one) => one !== column) : [...hidden, column])
                }
              />
              <span className={pick.name}>{NAMES[column]}</span>
            </label>
          ))}
        </fieldset>
      </PopPanel>
    </>
  );
}
