import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Comment } from "../../../../../contract/endpoints/reviews.ts";
import { failureText } from "../../../api/failure.ts";
import { Confirm } from "../../../ui/confirm.tsx";
import { described } from "../../../ui/hinted.ts";
import { IconCheck, IconMore } from "../../../ui/icons.tsx";
import { Menu, MenuItem } from "../../../ui/menu.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Ago } from "../../../ui/numbers/ago.tsx";
import { Person } from "../../../ui/person.tsx";
import { TextButton } from "../../../ui/text-button.tsx";
import { uiTexts } from "../../../ui/texts.ts";
import { reviewTexts } from "../texts.ts";
import { useKeptText } from "../use-kept-text.ts";
import { CommentForm } from "./comment-form.tsx";
import styles from "./talk.module.css";
import { lineOf, piecesOf, type Thread } from "./threads.ts";
import { useLinkedThread } from "./use-linked-thread.ts";
import { useTalk } from "./use-talk.ts";

const t = reviewTexts.talk;

interface ThreadProps {
  readonly thread: Thread;
  readonly estimationId: string;
  readonly userId: string;
  /** Whether the reader may write. */
  readonly canWrite: boolean;
  /** Whether the line that it is about shows already. */
  readonly isPlaced?: boolean;
  /** Names a question or an option; undefined where it is not in the tree that shows. */
  readonly titleOf: (line: string) => string | undefined;
}

/** A thread of comments: what it is about, what was said, and what can be done. */
export function ThreadView({ thread, isPlaced = false, ...shared }: ThreadProps) {
  const { first, replies } = thread;
  const { estimationId, canWrite, titleOf } = shared;
  const talk = useTalk(estimationId, first.reviewId);
  const [reply, setReply] = useKeptText(`reply ${first.id}`);
  const [isRestored, setRestored] = useState(reply !== "");
  const [isReplying, setReplying] = useState(isRestored);
  const [isShown, setShown] = useState(isRestored);
  const isLinked = useLinkedThread([thread]) !== undefined;
  const line = isPlaced ? null : lineOf(first);
  const endReply = () => {
    setReply("");
    setReplying(false);
  };
  if (first.resolved && !isShown && !isLinked) {
    return (
      <article className={styles.thread} aria-label={t.threadOf(first.author.name)} id={first.id}>
        {line && <Place line={line} titleOf={titleOf} />}
        <p className={styles.settled}>
          <IconCheck size={13} /> {t.resolvedBy(first.resolvedBy?.name ?? "")}{" "}
          <TextButton onClick={() => setShown(true)}>{t.show}</TextButton>
        </p>
      </article>
    );
  }
  return (
    <article className={styles.thread} aria-label={t.threadOf(first.author.name)}>
      {line && <Place line={line} titleOf={titleOf} />}
      {[first, ...replies].map((comment) => (
        <CommentView key={comment.id} comment={comment} {...shared} />
      ))}
      {talk.change.isError && <Notice kind="bad">{failureText(talk.change.error)}</Notice>}
      {isReplying ? (
        <CommentForm
          label={t.replyTo(first.author.name)}
          action={t.reply}
          text={reply}
          onText={setReply}
          isRestored={isRestored && reply !== ""}
          request={talk.say}
          onSend={() => talk.say.mutate({ body: reply, parentId: first.id }, { onSuccess: endReply })}
          onClose={endReply}
          onEscape={() => {
            setReplying(false);
            focusOn(first.id);
          }}
        />
      ) : (
        canWrite && (
          <div className={styles.actions}>
            <TextButton
              onClick={() => {
                setRestored(false);
                setReplying(true);
              }}
            >
              {t.reply}
            </TextButton>
            <TextButton
              disabled={talk.change.isPending}
              onClick={() => {
                setShown(false);
                talk.change.mutate({ commentId: first.id, resolved: !first.resolved });
              }}
            >
              {first.resolved ? t.reopen : t.resolve}
            </TextButton>
          </div>
        )
      )}
    </article>
  );
}

const focusOn = (id: string): void => document.getElementById(id)?.focus({ preventScroll: true });

/** The line that a comment is about, as a link to it. */
const Place = ({ line, titleOf }: { readonly line: string } & Pick<ThreadProps, "titleOf">) => (
  <p className={styles.place}>
    {titleOf(line) === undefined ? <span className="muted">{t.gone}</span> : <LineLink line={line} titleOf={titleOf} />}
  </p>
);

const LineLink = ({ line, titleOf }: { readonly line: string } & Pick<ThreadProps, "titleOf">) => (
  <Link to="." search={true} hash={line}>
    {titleOf(line) ?? `#${line}`}
  </Link>
);

type CommentProps = Omit<ThreadProps, "thread" | "isPlaced"> & { readonly comment: Comment };

function CommentView({ comment, estimationId, userId, canWrite, titleOf }: CommentProps) {
  const talk = useTalk(estimationId, comment.reviewId);
  const { id, author, body, verdict, createdAt, editedAt } = comment;
  const [text, setText] = useKeptText(`edit ${id}`);
  const [isRestored, setRestored] = useState(text !== "");
  const [doing, setDoing] = useState<"edit" | "remove" | null>(isRestored ? "edit" : null);
  const endEdit = () => {
    setText("");
    setDoing(null);
  };
  const isOwn = canWrite && author.id === userId && body !== null;
  return (
    <div className={styles.comment} id={id} tabIndex={-1}>
      <p className={styles.by}>
        <Person name={author.name}>
          <strong>{author.name}</strong>
        </Person>
        {verdict && <span className={styles[verdict]}>{t.verdicts[verdict]}</span>}
        <Link to="." search={true} hash={id} className={styles.at} {...described(t.permalink)}>
          <Ago at={createdAt} />
        </Link>
        {editedAt && <span className="muted">{t.edited}</span>}
        {isOwn && (
          <Menu label={t.menu} button={<IconMore size={14} />} className={styles.menu ?? ""}>
            <MenuItem
              onChoose={() => {
                if (text === "") setText(body);
                setRestored(false);
                setDoing("edit");
              }}
            >
              {t.edit}
            </MenuItem>
            <MenuItem onChoose={() => setDoing("remove")}>{t.remove}</MenuItem>
          </Menu>
        )}
      </p>
      {doing === "edit" && isOwn ? (
        <CommentForm
          label={t.edit}
          action={uiTexts.save}
          text={text}
          onText={setText}
          isRestored={isRestored}
          request={talk.change}
          onSend={() => talk.change.mutate({ commentId: id, body: text }, { onSuccess: endEdit })}
          onClose={endEdit}
          onEscape={() => {
            if (text === body) setText("");
            setDoing(null);
            focusOn(id);
          }}
        />
      ) : body === null ? (
        <p className="muted">{t.deleted}</p>
      ) : (
        <p className={styles.body}>
          {piecesOf(body).map((piece) =>
            typeof piece === "string" ? piece : <LineLink key={piece.line} line={piece.line} titleOf={titleOf} />,
          )}
        </p>
      )}
      {doing === "remove" && (
        <Confirm
          title={t.removeTitle}
          text={t.removeText}
          action={t.remove}
          request={talk.remove}
          onConfirm={() => talk.remove.mutate(id, { onSuccess: () => setDoing(null) })}
          onClose={() => setDoing(null)}
        />
      )}
    </div>
  );
}
