import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { lazy, type ReactNode, useState } from "react";
import { templateHours } from "../../../../domain/templates/template-hours.ts";
import { isRefusal } from "../../api/failure.ts";
import type { First } from "../../app/first.ts";
import factList from "../../ui/facts.module.css";
import { FailedPage } from "../../ui/failed-page.tsx";
import { hinted } from "../../ui/hinted.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { Message } from "../../ui/message.tsx";
import { Ago } from "../../ui/numbers/ago.tsx";
import { formatHours } from "../../ui/numbers/format.ts";
import { Part } from "../../ui/part.tsx";
import { Person } from "../../ui/person.tsx";
import { PageHead } from "../profile/page-head.tsx";
import { OutlineView } from "../trees/outline/outline-view.tsx";
import { templateQuery } from "./queries.ts";
import { seenBy } from "./seen-by.ts";
import { TemplateMenu } from "./template-menu.tsx";
import styles from "./templates.module.css";
import { templateTexts as t } from "./texts.ts";

const AddDialog = lazy(async () => ({ default: (await import("./add-dialog.tsx")).AddDialog }));

export const first: First = ({ params: { id } }) => [templateQuery(id)];

/** A template: what it adds, and its hours. */
export function TemplatePage() {
  const { id } = useParams({ from: "/frame/signed-in/templates/$id" });
  const navigate = useNavigate();
  const { data: template, error, refetch } = useQuery(templateQuery(id));
  const [isAdding, setAdding] = useState(false);
  if (template === undefined) {
    if (error === null) return <SkeletonRows rows={8} />;
    if (!isRefusal(error, "not_found")) return <FailedPage error={error} onRetry={() => void refetch()} />;
    return (
      <Message title={t.gone} text={t.goneText}>
        <LinkButton variant="default" to="/templates">
          {t.title}
        </LinkButton>
      </Message>
    );
  }
  const { name, description, owner, createdAt, nodes, options, tree, usedIn } = template;
  return (
    <>
      <PageHead title={name} intro={description} crumb={<Link to="/templates">{t.title}</Link>}>
        <Button variant="default" onClick={() => setAdding(true)}>
          {t.add}
        </Button>
        <LinkButton to="/estimations/new" search={{ template: id }}>
          {t.use}
        </LinkButton>
        <TemplateMenu template={template} onGone={() => navigate({ to: "/templates" })} />
      </PageHead>
      <dl className={factList.facts}>
        <Fact name={<span {...hinted(t.expectedHint)}>{t.expected}</span>}>{hoursText(templateHours(tree))}</Fact>
        <Fact name={t.columns.size}>{t.size(nodes, options)}</Fact>
        <Fact name={t.columns.seenBy}>{seenBy(template)}</Fact>
        <Fact name={t.columns.owner}>
          <Person name={owner.name} />
        </Fact>
        <Fact name={t.columns.made}>
          <Ago at={createdAt} isStop />
        </Fact>
      </dl>
      <section aria-label={t.adds} className={styles.preview}>
        <h2>{t.adds}</h2>
        <OutlineView nodes={tree.nodes} />
      </section>
      {usedIn.length > 0 && (
        <section aria-labelledby="used-in" className={styles.uses}>
          <h2 id="used-in">{t.usedIn}</h2>
          <ul>
            {usedIn.map(({ id: estimationId, title, appliedAt }) => (
              <li key={estimationId}>
                <Link to="/estimations/$id" params={{ id: estimationId }}>
                  {title}
                </Link>
                <Ago at={appliedAt} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {isAdding && (
        <Part>
          <AddDialog template={template} onClose={() => setAdding(false)} />
        </Part>
      )}
    </>
  );
}

function hoursText({ least, most }: ReturnType<typeof templateHours>): string {
  const [from, to] = [formatHours(least), formatHours(most)];
  return from === to ? from : t.between(from, to);
}

const Fact = ({ name, children }: { readonly name: ReactNode; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
