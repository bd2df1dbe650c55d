import { Button, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { RefObject } from "react";
import type { Review } from "../../../../contract/endpoints/reviews.ts";
import type { VersionWithContent } from "../../../../contract/endpoints/versions.ts";
import { limits } from "../../../../contract/limits.ts";
import { api } from "../../api/client.ts";
import { failureText, faultsByField, isRefusal } from "../../api/failure.ts";
import { Choice } from "../../ui/choice.tsx";
import { described } from "../../ui/hinted.ts";
import { IconClose } from "../../ui/icons.tsx";
import { Notice } from "../../ui/notice.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { reloadReview } from "./queries.ts";
import { sends } from "./talk/comment-form.tsx";
import { reviewTexts } from "./texts.ts";
import { useKeptText } from "./use-kept-text.ts";
import styles from "./verdict-bar.module.css";

const t = reviewTexts.verdict;

type Kind = keyof typeof t.kinds;
const isKind = (text: string): text is Kind => text in t.kinds;

/** What a comment is about. */
export interface About {
  readonly nodeId: string | null;
  readonly optionId: string | null;
  /** Null where it is not in the tree that shows: then nothing can be said about it. */
  readonly title: string | null;
}

const lineOf = (about: About | null) => about?.optionId ?? about?.nodeId;

interface BarProps {
  readonly review: Review;
  /** The version that shows, which the verdict is about. */
  readonly version: VersionWithContent;
  /** Whether the reader is the one who decides. */
  readonly isReviewer: boolean;
  /** The line that a comment is about; null for the whole estimation. */
  readonly about: About | null;
  /** Called when it is to be about the whole estimation. */
  readonly onEverything: () => void;
  readonly field: RefObject<HTMLTextAreaElement | null>;
}

/** The end of the page: a comment, or a verdict with one. Ctrl+Enter sends it. */
export function VerdictBar({ review, version, isReviewer, about, onEverything, field }: BarProps) {
  const { id: reviewId, estimationId: id } = review;
  const queries = useQueryClient();
  const [keptKind, setKind] = useKeptText(`review-kind ${reviewId}`);
  const kind: Kind = isReviewer && isKind(keptKind) ? keptKind : "comment";
  const [text, setText] = useKeptText(`review-text ${reviewId}`);
  const request = useMutation({
    mutationFn: async (what: Kind) => {
      const params = { id, reviewId };
      const hasText = text.trim() !== "";
      // The comment of a verdict is about the whole estimation: what is about a line is a comment by itself.
      const isApart = what === "comment" || (hasText && about !== null);
      // The verdict goes first: what fails can then be sent again, since the same verdict again changes nothing.
      if (what !== "comment") {
        const body = { versionId: version.id, ...(hasText && !isApart && { comment: text }) };
        await (what === "approved" ? api.approveReview({ params, body }) : api.requestChanges({ params, body }));
      }
      if (isApart) {
        const place = about && { nodeId: about.nodeId, optionId: about.optionId };
        await api.createComment({ params, body: { body: text, ...place } });
      }
      return { what, versionId: version.id, about };
    },
    onSuccess: (sent) => {
      for (const clear of [setText, setKind]) clear("");
      // Another line may have been chosen meanwhile.
      if (lineOf(sent.about) === lineOf(about)) onEverything();
    },
    onSettled: () => reloadReview(queries, id, reviewId),
  });
  const hasText = text.trim() !== "";
  // What was written about a line must not become one about everything unless the reader says so.
  const isAboutNothing = about?.title === null && hasText;
  const canSend = !request.isPending && !isAboutNothing && (hasText || kind === "approved");
  const send = () => canSend && request.mutate(kind);
  const fault = faultsByField(request.error).body ?? faultsByField(request.error).comment;
  return (
    <form
      className={styles.bar}
      data-over
      aria-label={isReviewer ? t.label : t.kinds.comment}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onKeyDown={(event) => {
        if (!sends(event)) return;
        event.preventDefault();
        send();
      }}
    >
      {request.isError && fault === undefined && (
        <div className={styles.wide}>
          <Notice kind="bad">
            {isRefusal(request.error, "review_moved")
              ? reviewTexts.review.moved(review.version.number)
              : failureText(request.error)}
          </Notice>
        </div>
      )}
      {about && (
        <p className={styles.about}>
          {about.title === null ? (
            reviewTexts.talk.gone
          ) : (
            <>
              <span className="muted">{t.on}</span> {about.title}
            </>
          )}
          <ToolButton label={t.notOn} look="small" onPress={onEverything}>
            <IconClose size={12} />
          </ToolButton>
        </p>
      )}
      <Textarea
        ref={field}
        aria-label={t.placeholders[kind]}
        placeholder={t.placeholders[kind]}
        {...described(t.key)}
        rows={text === "" ? 1 : 3}
        maxLength={limits.commentLength}
        value={text}
        readOnly={request.isPending}
        error={fault}
        onChange={({ currentTarget }) => {
          request.reset();
          setText(currentTarget.value);
        }}
      />
      <Button type="submit" loading={request.isPending} disabled={!canSend} {...described(reviewTexts.talk.sendKey)}>
        {t.actions[kind]}
      </Button>
      <div className={styles.end}>
        {isReviewer && <Choice label={t.label} options={t.kinds} value={kind} onChange={setKind} />}
        <span role="status" className={styles.sent}>
          {request.data?.versionId === version.id && t.sent[request.data.what]}
        </span>
      </div>
    </form>
  );
}
