import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Template } from "../../../../contract/endpoints/templates.ts";
import { api } from "../../api/client.ts";
import { keys } from "../../api/keys.ts";
import { useSession } from "../../api/session.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { IconMore } from "../../ui/icons.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { teamsQuery } from "../teams/teams-query.ts";
import { EditDialog } from "./edit-dialog.tsx";
import { templateTexts as t } from "./texts.ts";

interface TemplateMenuProps {
  readonly template: Template;
  /** Called when the reader does not see it any more, or it is gone, before anything is loaded again. */
  readonly onGone?: () => Promise<void>;
}

/** What the reader may do with a template: as its owner everything, as an admin of its team to take it from there. */
export function TemplateMenu({ template, onGone }: TemplateMenuProps) {
  const { id, name, owner, team, visibility } = template;
  const queries = useQueryClient();
  const userId = useSession()?.userId;
  const teams = useQuery(teamsQuery);
  const [asked, setAsked] = useState<"edit" | "remove" | null>(null);
  const remove = useMutation({
    mutationFn: () => api.deleteTemplate({ params: { id } }),
    onSuccess: async () => {
      await onGone?.();
      queries.removeQueries({ queryKey: keys.template(id) });
      void queries.invalidateQueries({ queryKey: keys.templates });
    },
  });
  const isOwn = owner.id === userId;
  const isOfAdmin = team !== null && teams.data?.some((one) => one.id === team.id && one.role === "admin") === true;
  if (!isOwn && !isOfAdmin) return null;
  const close = () => {
    remove.reset();
    setAsked(null);
  };
  return (
    <>
      <Menu label={t.menu(name)} button={<IconMore />}>
        {isOwn && <MenuItem onChoose={() => setAsked("edit")}>{t.edit}…</MenuItem>}
        <MenuItem onChoose={() => setAsked("remove")}>{isOwn ? t.remove : t.end}…</MenuItem>
      </Menu>
      {asked === "edit" && <EditDialog template={template} onClose={close} />}
      {asked === "remove" && (
        <Confirm
          title={isOwn ? t.removeTitle(name) : t.endTitle(name, team?.name ?? "")}
          text={isOwn ? t.removeTexts[visibility] : t.endText(owner.name)}
          action={isOwn ? t.remove : t.end}
          request={remove}
          onConfirm={() => remove.mutate()}
          onClose={close}
        />
      )}
    </>
  );
}
