import { Button, NativeSelect } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import { api } from "../../api/client.ts";
import { failureText, faultsByField } from "../../api/failure.ts";
import { keys } from "../../api/keys.ts";
import { Dialog, DialogEnd, DialogForm } from "../../ui/dialog.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { Notice } from "../../ui/notice.tsx";
import { uiTexts } from "../../ui/texts.ts";
import { mayEdit } from "../estimations/rights.ts";
import { estimationsQuery } from "./queries.ts";
import { readTemplate, TemplateFields, type Written } from "./template-fields.tsx";
import { templateTexts as t } from "./texts.ts";

type From = Pick<Estimation, "id" | "title" | "access">;

interface MakeProps {
  readonly estimation: From;
  /** A line of it, with what is below it; by default all. */
  readonly part?: { readonly id: string; readonly title: string };
  /** What can be chosen instead. */
  readonly others?: readonly From[];
  readonly onChoose?: (id: string) => void;
  /** Waits until what the reader sees of it is saved. */
  readonly saved?: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Makes a template of an estimation or a part of it, and opens it. */
export function MakeDialog({ estimation, part, others = [], onChoose, saved, onClose }: MakeProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const make = useMutation({
    mutationFn: async (written: Written) => {
      await saved?.();
      return (await api.createTemplate({ body: { estimationId: estimation.id, partId: part?.id, ...written } })).data
        .template;
    },
    onSuccess: async ({ id }) => {
      void queries.invalidateQueries({ queryKey: keys.templates });
      await navigate({ to: "/templates/$id", params: { id } });
    },
  });
  const { estimationId: unfit, ...faults } = faultsByField(make.error);
  const isUnplaced = make.isError && Object.keys(faults).length === 0;
  return (
    <Dialog title={t.make} onClose={onClose} isLocked={make.isPending}>
      <DialogForm onSubmit={(fields) => make.mutate(readTemplate(fields))}>
        <p className="muted">{part ? t.makePartText(part.title) : t.makeText}</p>
        {onChoose && (
          <NativeSelect
            label={t.estimation}
            data={others.map(({ id: value, title: label }) => ({ value, label }))}
            value={estimation.id}
            error={unfit}
            onChange={({ currentTarget: { value } }) => onChoose(value)}
          />
        )}
        <TemplateFields
          key={estimation.id}
          template={{ name: part?.title ?? estimation.title, description: "", visibility: "private", team: null }}
          mayBeShown={mayEdit(estimation)}
          faults={faults}
        />
        {isUnplaced && <Notice kind="bad">{failureText(make.error)}</Notice>}
        <DialogEnd>
          <Button variant="default" onClick={onClose} disabled={make.isPending}>
            {uiTexts.cancel}
          </Button>
          <Button type="submit" loading={make.isPending}>
            {t.makeAction}
          </Button>
        </DialogEnd>
      </DialogForm>
    </Dialog>
  );
}

/** The same, of an estimation that is chosen first. */
export function MakeFromDialog({ onClose }: Pick<MakeProps, "onClose">) {
  const list = useQuery(estimationsQuery(false));
  const [chosen, setChosen] = useState<string | null>(null);
  const all = list.data ?? [];
  const estimation = all.find(({ id }) => id === chosen) ?? all[0];
  if (estimation) return <MakeDialog estimation={estimation} others={all} onChoose={setChosen} onClose={onClose} />;
  return (
    <Dialog title={t.make} onClose={onClose}>
      {list.isPending && <SkeletonRows rows={3} />}
      {list.isError && <Notice kind="bad">{failureText(list.error)}</Notice>}
      {list.isSuccess && <p>{t.noEstimations}</p>}
      <DialogEnd>
        <Button variant="default" onClick={onClose}>
          {uiTexts.close}
        </Button>
      </DialogEnd>
    </Dialog>
  );
}
