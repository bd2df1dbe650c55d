import { NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Template, Visibility } from "../../../../contract/endpoints/templates.ts";
import { limits } from "../../../../contract/limits.ts";
import { teamsQuery } from "../teams/teams-query.ts";
import styles from "./templates.module.css";
import { templateTexts as t } from "./texts.ts";

/** What a form says about a template. */
export interface Written {
  readonly name: string;
  readonly description: string;
  readonly visibility: Visibility;
  readonly teamId?: string;
}

/** Returns what `TemplateFields` in a form say. */
export function readTemplate(fields: FormData): Written {
  const text = (name: string) => String(fields.get(name) ?? "").trim();
  const visibility = CHOICES.find((one) => one === text("visibility")) ?? "private";
  const shown = visibility === "team" ? { visibility, teamId: text("teamId") } : { visibility };
  return { name: text("name"), description: text("description"), ...shown };
}

const CHOICES = Object.keys(t.visibilities) as Visibility[];

interface FieldsProps {
  /** What is written there already. */
  readonly template?: Pick<Template, "name" | "description" | "visibility" | "team">;
  /** Whether others may see it. */
  readonly mayBeShown?: boolean;
  /** What is wrong, by the fields' names. */
  readonly faults: Readonly<Record<string, string>>;
}

/** Name, description and who sees it. */
export function TemplateFields({ template, mayBeShown = true, faults }: FieldsProps) {
  const [chosen, setChosen] = useState<Visibility>(template?.visibility ?? "private");
  const teams = (useQuery(teamsQuery).data ?? []).toSorted((a, b) => a.name.localeCompare(b.name));
  const visibility = mayBeShown ? chosen : "private";
  // The owner may have left the team that still sees it.
  const left = template?.team && teams.every(({ id }) => id !== template.team?.id) ? [template.team] : [];
  const choosable = [...left, ...teams];
  return (
    <>
      <TextInput
        label={t.name}
        name="name"
        autoComplete="off"
        defaultValue={template?.name}
        required
        maxLength={limits.titleLength}
        error={faults.name}
        autoFocus
      />
      <Textarea
        label={t.description}
        name="description"
        rows={2}
        defaultValue={template?.description}
        maxLength={limits.descriptionLength}
        error={faults.description}
      />
      <fieldset className={styles.seenBy}>
        <legend>{t.seenBy}</legend>
        {CHOICES.map((one) => (
          <label key={one}>
            <input
              type="radio"
              name="visibility"
              value={one}
              checked={one === visibility}
              disabled={one !== "private" && (!mayBeShown || (one === "team" && choosable.length === 0))}
              onChange={() => setChosen(one)}
            />
            {t.visibilities[one]}
          </label>
        ))}
        {!mayBeShown && <p className="muted">{t.onlyEditors}</p>}
      </fieldset>
      {visibility === "team" && (
        <NativeSelect
          label={t.team}
          name="teamId"
          data={choosable.map(({ id: value, name: label }) => ({ value, label }))}
          defaultValue={template?.team?.id}
          error={faults.teamId}
        />
      )}
    </>
  );
}
