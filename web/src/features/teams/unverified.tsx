import { Button } from "@mantine/core";
import { useSession } from "../../api/session.ts";
import { Message } from "../../ui/message.tsx";
import { teamTexts as t } from "./texts.ts";

interface UnverifiedProps {
  readonly query: { readonly isFetching: boolean; readonly refetch: () => unknown };
}

/** Says that the reader has to confirm their address before they can use teams. */
export function Unverified({ query }: UnverifiedProps) {
  const session = useSession();
  return (
    <Message title={t.unverifiedTitle} text={t.unverified(session?.email ?? "")}>
      <Button loading={query.isFetching} onClick={() => void query.refetch()}>
        {t.isConfirmed}
      </Button>
    </Message>
  );
}
