import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { ApiError } from "../../../../contract/client/client-of.ts";
import { useSession } from "../../api/session.ts";
import type { First } from "../../app/first.ts";
import { MoreRows } from "../../ui/lists/more-rows.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Message } from "../../ui/message.tsx";
import { useTitle } from "../../ui/use-title.ts";
import { AcceptLink } from "./accept-link.tsx";
import { mySharesQuery } from "./queries.ts";
import { SharedTables } from "./shared-tables.tsx";
import styles from "./shares.module.css";
import { shareTexts } from "./texts.ts";

const t = shareTexts.shared;

/** Returns whether a refusal says that the reader has to confirm their address first. */
export const isUnverified = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.body.message === "forbidden" &&
  error.body.details?.reason === "email_not_verified";

export const first: First = () => [mySharesQuery];

/** What others share with the reader, and invitations. A mailed link leads here, with the invitation to accept. */
export function SharedPage() {
  useTitle(t.title);
  const { accept } = useSearch({ from: "/frame/signed-in/shared" });
  const session = useSession();
  const list = useInfiniteQuery(mySharesQuery);
  const shares = list.data?.pages.flatMap((page) => page.shares) ?? [];
  if (isUnverified(list.error)) {
    return (
      <Message title={t.unverifiedTitle} text={t.unverified(session?.email ?? "")}>
        <Button loading={list.isFetching} onClick={() => void list.refetch()}>
          {t.isConfirmed}
        </Button>
      </Message>
    );
  }
  return (
    <>
      <div className={styles.head}>
        <h1>{t.title}</h1>
        {accept !== undefined && list.isSuccess && (
          <AcceptLink key={accept} shareId={accept} share={shares.find(({ id }) => id === accept)} />
        )}
        <LoadFailure query={list} />
      </div>
      {list.isPending && <SkeletonRows rows={4} />}
      {list.isSuccess && <SharedTables shares={shares} />}
      {list.hasNextPage && <MoreRows counted={shareTexts.counted(shares.length)} list={list} />}
    </>
  );
}
