import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { First } from "../../app/first.ts";
import { ListPage } from "../profile/list-page.tsx";
import page from "../profile/page.module.css";
import { stateOf } from "./expiry.ts";
import { type Asked, KeyDialogs } from "./key-dialogs.tsx";
import styles from "./key-table.module.css";
import { KeyTable } from "./key-table.tsx";
import { keysQuery } from "./queries.ts";
import { apiKeyTexts } from "./texts.ts";

const t = apiKeyTexts;

export const first: First = () => [keysQuery];

export function ApiKeysPage() {
  const list = useInfiniteQuery(keysQuery);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [showsRevoked, setShowsRevoked] = useState(false);
  const all = list.data?.pages.flatMap(({ apiKeys }) => apiKeys) ?? [];
  const shown = showsRevoked ? all : all.filter((key) => stateOf(key) !== "revoked");
  const toggle = all.some((key) => stateOf(key) === "revoked") && (
    <label className={styles.toggle}>
      <input
        type="checkbox"
        checked={showsRevoked}
        onChange={(event) => setShowsRevoked(event.currentTarget.checked)}
      />
      {t.showRevoked}
    </label>
  );
  return (
    <>
      {asked && <KeyDialogs key={asked.about} asked={asked} onClose={() => setAsked(null)} />}
      <ListPage
        texts={t}
        list={list}
        isEmpty={all.length === 0}
        counted={t.counted(shown.length)}
        onCreate={() => setAsked({ about: "create" })}
        foot={toggle}
      >
        {shown.length > 0 && <KeyTable keys={shown} onAsk={setAsked} />}
        {list.isSuccess && shown.length === 0 && <p className={page.none}>{t.noneValid}</p>}
      </ListPage>
    </>
  );
}
