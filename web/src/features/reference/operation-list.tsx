import { TextInput } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useDeferredValue, useState } from "react";
import { IconSearch } from "../../ui/icons.tsx";
import { type Description, find, type Operation } from "./description.ts";
import styles from "./reference-page.module.css";
import { referenceTexts as t } from "./texts.ts";

interface ListProps {
  readonly description: Description;
  readonly operations: readonly Operation[];
}

/** All requests by subject, or those that have the words that are searched for. */
export function OperationList({ description, operations }: ListProps) {
  const [search, setSearch] = useState("");
  const found = find(operations, useDeferredValue(search));
  const tags = description["x-tagGroups"].flatMap(({ tags: names }) => names);
  return (
    <>
      <TextInput
        type="search"
        aria-label={t.search}
        placeholder={t.search}
        leftSection={<IconSearch />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <p className={styles.note} role="status">
        {found.length === 0 ? t.nothing : t.found(found.length)}
      </p>
      <nav aria-label={t.list}>
        {tags
          .map((tag) => [tag, found.filter((one) => one.tag === tag)] as const)
          .filter(([, rows]) => rows.length > 0)
          .map(([tag, rows]) => (
            <section key={tag} className={styles.group}>
              <h2>{tag}</h2>
              <ul>
                {rows.map(({ id, method, summary }) => (
                  <li key={id}>
                    <Link
                      to="/docs"
                      hash={id}
                      className={styles.row}
                      activeOptions={{ includeHash: true }}
                      activeProps={{ "aria-current": "page" }}
                    >
                      <span>{summary}</span>
                      <span className={styles.method} data-method={method}>
                        {method}
                      </span>
                    </Link>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        <section className={styles.group}>
          <h2>{t.more}</h2>
          <ul>
            {(
              [
                ["errors", t.errors],
                ["scopes", t.scopes],
                ["events", t.events],
              ] as const
            ).map(([anchor, text]) => (
              <li key={anchor}>
                <a className={styles.row} href={`/docs/plain#${anchor}`}>
                  {text}
                </a>
              </li>
            ))}
          </ul>
        </section>
      </nav>
    </>
  );
}
