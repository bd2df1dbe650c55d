import { Button, Textarea } from "@mantine/core";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { KeyboardEvent } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import type { Thread, ThreadMessage } from "../../../../contract/endpoints/threads.ts";
import type { Version } from "../../../../contract/endpoints/versions.ts";
import { limits } from "../../../../contract/limits.ts";
import { mayResolveMessage } from "../../../../domain/access.ts";
import { api } from "../../api/client.ts";
import { failureText, faultsByField } from "../../api/failure.ts";
import { useSession } from "../../api/session.ts";
import { described } from "../../ui/hinted.ts";
import { MoreRows } from "../../ui/lists/more-rows.tsx";
import { LoadFailure } from "../../ui/load-failure.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Ago } from "../../ui/numbers/ago.tsx";
import { Person } from "../../ui/person.tsx";
import { Select } from "../../ui/select.tsx";
import { TextButton } from "../../ui/text-button.tsx";
import { useKeptText } from "../reviews/use-kept-text.ts";
import { titlesOf } from "../trees/marked/marked-tree.ts";
import styles from "./messages.module.css";
import { messagesQuery, treesQuery } from "./queries.ts";
import { versionTexts } from "./texts.ts";

const t = versionTexts.messages;

interface MessagesProps {
  readonly estimation: Estimation;
  readonly thread: Thread;
  readonly versions: readonly Version[];
}

/** What people wrote in a thread, newest first: about all of it, a version, a question or an option. */
export function Messages({ estimation, thread, versions }: MessagesProps) {
  const { id } = estimation;
  const userId = useSession()?.userId;
  const queries = useQueryClient();
  const key = messagesQuery(id, thread.id);
  const list = useInfiniteQuery(key);
  const trees = useQuery(treesQuery(id, [thread.headVersionId]));
  const titles = titlesOf(...(trees.data ?? []));
  const onSettled = () => queries.invalidateQueries({ queryKey: key.queryKey });
  const resolve = useMutation({
    mutationFn: ({ id: messageId, resolvedAt }: ThreadMessage) =>
      api.updateThreadMessage({
        params: { id, threadId: thread.id, messageId },
        body: { resolved: resolvedAt === null },
      }),
    onSettled,
  });
  const messages = list.data?.pages.flatMap((page) => page.messages) ?? [];
  const mayResolve = ({ author }: ThreadMessage) => mayResolveMessage(estimation.access, author.id === userId);
  return (
    <section aria-label={t.title(thread.title)} className={styles.messages}>
      <h2>{t.title(thread.title)}</h2>
      <WriteMessage
        key={thread.id}
        estimationId={id}
        threadId={thread.id}
        versions={versions}
        places={trees.data && [...titles].map(([line, title]) => ({ id: line, title }))}
        onSettled={onSettled}
      />
      <LoadFailure query={list} />
      {resolve.isError && <Notice kind="bad">{failureText(resolve.error)}</Notice>}
      {list.isSuccess && messages.length === 0 && <p className="muted">{t.none}</p>}
      {messages.map((message) => {
        const version = versions.find(({ id: versionId }) => versionId === message.versionId);
        const line = message.optionId ?? message.nodeId;
        return (
          <article key={message.id} className={styles.message} data-resolved={message.resolvedAt !== null || undefined}>
            <p className="muted">
              <Person name={message.author.name}>
                <strong>{message.author.name}</strong>
              </Person>{" "}
              <Ago at={message.createdAt} isStop />
              {message.versionId !== null && ` · ${version ? versionTexts.numbered(version.number) : t.aVersion}`}
              {line !== null && (
                <>
                  {" · "}
                  <Link to="/estimations/$id" params={{ id }} hash={line}>
                    {titles.get(line) ?? t.gone}
                  </Link>
                </>
              )}
            </p>
            <p className={styles.body}>{message.body}</p>
            <p className="muted">
              {message.resolvedBy && `${t.resolvedBy(message.resolvedBy.name)} `}
              {mayResolve(message) && (
                <TextButton disabled={resolve.isPending} onClick={() => resolve.mutate(message)}>
                  {message.resolvedAt === null ? t.resolve : t.reopen}
                </TextButton>
              )}
            </p>
          </article>
        );
      })}
      {list.hasNextPage && <MoreRows counted={t.counted(messages.length)} list={list} />}
    </section>
  );
}

interface WriteProps {
  readonly estimationId: string;
  readonly threadId: string;
  readonly versions: readonly Version[];
  /** What in the trees a message can be about; undefined before they are loaded. */
  readonly places: readonly { readonly id: string; readonly title: string }[] | undefined;
  readonly onSettled: () => unknown;
}

function WriteMessage({ estimationId, threadId, versions, places, onSettled }: WriteProps) {
  const [text, setText] = useKeptText(`message ${threadId}`);
  const [kept, setAbout] = useKeptText(`message-about ${threadId}`);
  // What is not there any more is nothing to write about; before the trees are loaded nobody knows.
  const isGone = places !== undefined && ![...versions, ...places].some(({ id }) => id === kept);
  const about = isGone ? "" : kept;
  const write = useMutation({
    mutationFn: () => {
      const anchor = versions.some(({ id }) => id === about)
        ? { versionId: about }
        : about.startsWith("opt_")
          ? { optionId: about }
          : about === ""
            ? {}
            : { nodeId: about };
      return api.createThreadMessage({ params: { id: estimationId, threadId }, body: { body: text, ...anchor } });
    },
    onSuccess: () => {
      setText("");
      setAbout("");
    },
    onSettled,
  });
  const fault = faultsByField(write.error).body;
  const send = () => text.trim() !== "" && !write.isPending && write.mutate();
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        send();
      }}
    >
      <Textarea
        aria-label={t.write}
        placeholder={t.write}
        rows={2}
        maxLength={limits.messageLength}
        value={text}
        readOnly={write.isPending}
        error={fault}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div className={styles.end}>
        <label className={styles.about}>
          {t.about}
          <Select
            value={about}
            disabled={write.isPending}
            onChange={({ currentTarget }) => setAbout(currentTarget.value)}
          >
            <option value="">{t.all}</option>
            <optgroup label={versionTexts.list}>
              {versions.map(({ id, number, label }) => (
                <option key={id} value={id}>
                  {label ?? versionTexts.numbered(number)}
                </option>
              ))}
            </optgroup>
            <optgroup label={t.tree}>
              {places?.map(({ id, title }) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
            </optgroup>
          </Select>
        </label>
        <Button type="submit" {...described(t.sendKey)} loading={write.isPending} disabled={text.trim() === ""}>
          {t.send}
        </Button>
      </div>
      {write.isError && fault === undefined && <Notice kind="bad">{failureText(write.error)}</Notice>}
    </form>
  );
}
