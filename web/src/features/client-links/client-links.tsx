import { Button } from "@mantine/core";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ClientLink } from "../../../../contract/endpoints/client-links.ts";
import { api } from "../../api/client.ts";
import { keys } from "../../api/keys.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { IconMore } from "../../ui/icons.tsx";
import { MoreRows } from "../../ui/lists/more-rows.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import table from "../../ui/lists/table.module.css";
import { TableHead } from "../../ui/lists/table-head.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { Notice } from "../../ui/notice.tsx";
import { formatCount } from "../../ui/numbers/format.ts";
import { AnswersDialog } from "./answers-dialog.tsx";
import styles from "./client-links.module.css";
import { LinkDialog } from "./link-dialog.tsx";
import { linksQuery } from "./queries.ts";
import { refusalText } from "./refusal-text.ts";
import { clientLinkTexts } from "./texts.ts";

const t = clientLinkTexts;

const nameOf = ({ title }: ClientLink) => title ?? t.unnamed;

type Asked = { readonly what: "create" } | { readonly what: "answers" | "revoke"; readonly link: ClientLink };

/** The links for clients of an estimation that the reader may edit. */
export function ClientLinks({ estimationId: id }: { readonly estimationId: string }) {
  const queries = useQueryClient();
  const list = useInfiniteQuery(linksQuery(id));
  const [asked, setAsked] = useState<Asked | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  const close = () => setAsked(null);
  const reload = () => queries.invalidateQueries({ queryKey: linksQuery(id).queryKey });
  const begin = () => setSaid(null);
  const publish = useMutation({
    mutationFn: ({ id: linkId }: ClientLink) => api.publishClientLink({ params: { id, linkId } }),
    onMutate: begin,
    onSuccess: () => setSaid(t.published),
    onSettled: reload,
  });
  const apply = useMutation({
    mutationFn: ({ id: linkId }: ClientLink) => api.applyAcceptance({ params: { id, linkId } }),
    onMutate: begin,
    onSuccess: async () => {
      setSaid(t.appliedNow);
      const changed = [keys.estimation(id), keys.tree(id), keys.versions(id), keys.estimations];
      await Promise.all(changed.map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
    onSettled: reload,
  });
  const revoke = useMutation({
    mutationFn: ({ id: linkId }: ClientLink) => api.deleteClientLink({ params: { id, linkId } }),
    onSuccess: close,
    onSettled: reload,
  });
  const links = list.data?.pages.flatMap((page) => page.links) ?? [];
  const failed = publish.error ?? apply.error;
  return (
    <section aria-label={t.title} className={styles.links}>
      <div className={styles.head}>
        <h2>{t.title}</h2>
        <Button variant="default" onClick={() => setAsked({ what: "create" })}>
          {t.create}
        </Button>
      </div>
      <p className="muted">{t.text}</p>
      {failed !== null && <Notice kind="bad">{refusalText(failed)}</Notice>}
      {said !== null && <Notice kind="info">{said}</Notice>}
      <LoadFailure query={list} />
      {list.isPending && <SkeletonRows rows={2} />}
      {list.isSuccess && links.length === 0 && <p className="muted">{t.none}</p>}
      {links.length > 0 && (
        <table className={table.table}>
          <TableHead columns={[t.columns.link, t.columns.shows, t.columns.state]} actions={t.columns.actions} />
          <tbody>
            {links.map((link) => (
              <tr key={link.id}>
                <td className={table.main}>{nameOf(link)}</td>
                <td data-label={t.columns.shows}>
                  {t.shows[link.shows]}, {t.percentiles[link.percentile]}
                </td>
                <td data-label={t.columns.state}>
                  {link.acceptedAt !== null ? t.accepted : t.states[link.state]}, {t.version(link.version.number)}
                  {link.appliedAt !== null && `, ${t.applied}`}
                </td>
                <td className={table.actions}>
                  <Menu label={t.menu(nameOf(link))} button={<IconMore />}>
                    <MenuItem onChoose={() => setAsked({ what: "answers", link })}>{t.answers}…</MenuItem>
                    {link.acceptedAt !== null && <MenuItem onChoose={() => apply.mutate(link)}>{t.apply}</MenuItem>}
                    {link.state !== "revoked" && (
                      <>
                        {link.acceptedAt === null && (
                          <MenuItem onChoose={() => publish.mutate(link)}>{t.publish}</MenuItem>
                        )}
                        <MenuItem onChoose={() => setAsked({ what: "revoke", link })}>{t.revoke}…</MenuItem>
                      </>
                    )}
                  </Menu>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {list.hasNextPage && <MoreRows counted={formatCount(links.length)} list={list} />}
      {asked?.what === "create" && <LinkDialog estimationId={id} onClose={close} />}
      {asked?.what === "answers" && <AnswersDialog link={asked.link} onClose={close} />}
      {asked?.what === "revoke" && (
        <Confirm
          title={t.revokeTitle(nameOf(asked.link))}
          text={t.revokeText}
          action={t.revoke}
          request={revoke}
          onConfirm={() => revoke.mutate(asked.link)}
          onClose={close}
        />
      )}
    </section>
  );
}
