import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Estimation } from "../../../../../contract/endpoints/estimations.ts";
import type { ThreadMessage } from "../../../../../contract/endpoints/threads.ts";
import { mayResolveMessage } from "../../../../../domain/access.ts";
import { api } from "../../../api/client.ts";
import { failureText } from "../../../api/failure.ts";
import { keys } from "../../../api/keys.ts";
import { Notice } from "../../../ui/notice.tsx";
import { Ago } from "../../../ui/numbers/ago.tsx";
import { Person } from "../../../ui/person.tsx";
import { TextButton } from "../../../ui/text-button.tsx";
import { reviewTexts } from "../texts.ts";
import styles from "./talk.module.css";

const t = reviewTexts.talk;

interface LineMessagesProps {
  /** The open messages about the line. */
  readonly messages: readonly ThreadMessage[];
  readonly estimation: Pick<Estimation, "id" | "access">;
  readonly userId: string;
}

/** What people wrote about a line in the thread that is worked on. */
export function LineMessages({ messages, estimation: { id, access }, userId }: LineMessagesProps) {
  const queries = useQueryClient();
  const resolve = useMutation({
    mutationFn: ({ id: messageId, threadId }: ThreadMessage) =>
      api.updateThreadMessage({ params: { id, threadId, messageId }, body: { resolved: true } }),
    onSettled: () =>
      Promise.all(
        [keys.commentsOf(id), keys.messagesOf(id)].map((queryKey) => queries.invalidateQueries({ queryKey })),
      ),
  });
  return (
    <>
      {resolve.isError && <Notice kind="bad">{failureText(resolve.error)}</Notice>}
      {messages.map((message) => (
        <article key={message.id} className={styles.thread} aria-label={t.messageOf(message.author.name)}>
          <p className={styles.by}>
            <Person name={message.author.name}>
              <strong>{message.author.name}</strong>
            </Person>
            <Link
              to="/estimations/$id/versions"
              params={{ id }}
              search={{ thread: message.threadId }}
              className={styles.at}
            >
              {t.message} <Ago at={message.createdAt} />
            </Link>
          </p>
          <p className={styles.body}>{message.body}</p>
          {mayResolveMessage(access, message.author.id === userId) && (
            <div className={styles.actions}>
              <TextButton disabled={resolve.isPending} onClick={() => resolve.mutate(message)}>
                {t.resolve}
              </TextButton>
            </div>
          )}
        </article>
      ))}
    </>
  );
}
