import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { profileTexts } from "../../texts-of-profile.ts";
import { IconPlus } from "../../ui/icons.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Message } from "../../ui/message.tsx";
import { MoreRows } from "../../ui/more-rows.tsx";
import { SkeletonRows } from "../../ui/skeleton-rows.tsx";
import { useTitle } from "../../ui/use-title.ts";
import page from "../profile/page.module.css";
import { PageHead } from "../profile/page-head.tsx";
import { stateOf } from "./expiry.ts";
import { type Asked, KeyDialogs } from "./key-dialogs.tsx";
import styles from "./key-table.module.css";
import { KeyTable } from "./key-table.tsx";
import { keysQuery } from "./queries.ts";

const t = profileTexts.apiKeys;

export function ApiKeysPage() {
  useTitle(t.title);
  const list = useInfiniteQuery(keysQuery);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [showsRevoked, setShowsRevoked] = useState(false);
  const all = list.data?.pages.flatMap(({ apiKeys }) => apiKeys) ?? [];
  const shown = showsRevoked ? all : all.filter((key) => stateOf(key) !== "revoked");
  const create = (
    <Button leftSection={<IconPlus />} onClick={() => setAsked({ about: "create" })}>
      {t.create}
    </Button>
  );
  return (
    <>
      {asked && <KeyDialogs key={asked.about} asked={asked} onClose={() => setAsked(null)} />}
      {list.isSuccess && all.length === 0 ? (
        <Message title={t.emptyTitle} text={t.intro}>
          {create}
        </Message>
      ) : (
        <>
          <PageHead title={t.title} intro={t.intro}>
            {create}
          </PageHead>
          <div className={page.notices}>
            <LoadFailure query={list} />
          </div>
          {list.isPending && <SkeletonRows rows={4} />}
          {shown.length > 0 && <KeyTable keys={shown} onAsk={setAsked} />}
          {list.isSuccess && shown.length === 0 && <p className={page.none}>{t.noneValid}</p>}
          {list.isSuccess && <MoreRows count={shown.length} list={list} />}
          {list.isSuccess && all.some((key) => stateOf(key) === "revoked") && (
            <label className={styles.toggle}>
              <input
                type="checkbox"
                checked={showsRevoked}
                onChange={(event) => setShowsRevoked(event.currentTarget.checked)}
              />
              {t.showRevoked}
            </label>
          )}
        </>
      )}
    </>
  );
}
