import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Session } from "../../../../contract/endpoints/auth.ts";
import { api } from "../../api/client.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { MoreRows } from "../../ui/lists/more-rows.tsx";
import { SkeletonRows } from "../../ui/lists/skeleton-rows.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { auditQuery, sessionsQuery } from "./queries.ts";
import { SessionTable } from "./session-table.tsx";
import { securityTexts } from "./texts.ts";

const t = securityTexts;

/** Where the reader is signed in; each other session can be ended. */
export function SessionList() {
  const queries = useQueryClient();
  const list = useInfiniteQuery(sessionsQuery);
  const [asked, setAsked] = useState<Session | null>(null);
  const end = useMutation({
    mutationFn: (id: string) => api.endSession({ params: { id } }),
    onSuccess: () => {
      setAsked(null);
      void queries.invalidateQueries(sessionsQuery);
      void queries.invalidateQueries(auditQuery);
    },
  });
  const rows = list.data?.pages.flatMap(({ sessions }) => sessions) ?? [];
  const ask = (session: Session) => {
    end.reset();
    setAsked(session);
  };
  return (
    <>
      <LoadFailure query={list} />
      {list.isPending && <SkeletonRows rows={2} />}
      {rows.length > 0 && <SessionTable sessions={rows} onEnd={ask} />}
      {list.isSuccess && <MoreRows counted={t.countedSessions(rows.length)} list={list} />}
      {asked && (
        <Confirm
          title={t.endTitle(asked.device ?? t.unknownDevice)}
          text={t.endText}
          action={t.end}
          isDangerous={false}
          request={end}
          onConfirm={() => end.mutate(asked.id)}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}
