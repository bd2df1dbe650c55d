import { Button, Textarea, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ApiError } from "../../../../contract/client/client-of.ts";
import type { Proposal } from "../../../../contract/endpoints/client-links.ts";
import { limits } from "../../../../contract/limits.ts";
import { api } from "../../api/client.ts";
import { failureText, faultsByField } from "../../api/failure.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { Notice } from "../../ui/notice.tsx";
import styles from "./proposal.module.css";
import { proposalTexts } from "./texts.ts";

const t = proposalTexts;

interface AnswerFormProps {
  readonly token: string;
  readonly proposal: Proposal;
  /** What is chosen beside what was published, as ids; undefined once it is accepted. */
  readonly selection: { readonly select: string[]; readonly deselect: string[] } | undefined;
  /** What that adds up to, as it shows. */
  readonly total: string;
  /** Whether what it adds up to shows. */
  readonly mayAccept: boolean;
  /** Reads the page again: it was accepted, or something newer is published. */
  readonly onStale: () => Promise<unknown>;
}

const keyOf = (error: unknown): string => (error instanceof ApiError ? error.body.message : "");

/** Returns what went wrong: what is missing of the choice, or what any page would say. */
function refusalText(error: unknown): string {
  const key = keyOf(error);
  if (key === "proposal_changed") return t.changed;
  if (key === "tree_incomplete" && error instanceof ApiError) {
    return (error.body.errors ?? []).map(({ message }) => message).join(" ");
  }
  return t.refused[key] ?? failureText(error);
}

/** Accepts what is shown and chosen, once that is confirmed, or sends a comment on it. */
export function AnswerForm({ token, proposal, selection, total, mayAccept, onStale }: AnswerFormProps) {
  const [note, setNote] = useState("");
  const [client, setClient] = useState({ name: "", email: "" });
  const [isEmpty, setEmpty] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const said = { ...client, ...(selection && { selection }), edition: proposal.edition };
  const params = { token };
  const stale = (error: unknown) => {
    if (["proposal_changed", "proposal_accepted"].includes(keyOf(error))) void onStale();
  };
  const accept = useMutation({
    mutationFn: () => api.acceptProposal({ params, body: { ...said, ...(note.trim() ? { note } : {}) } }),
    onSuccess: onStale,
    onError: stale,
    onSettled: () => setAsked(false),
  });
  const comment = useMutation({
    mutationFn: () => api.commentOnProposal({ params, body: { ...said, note } }),
    onSuccess: () => setNote(""),
    onError: stale,
  });
  const failed = accept.error ?? comment.error;
  const faults = faultsByField(failed);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    const isComment = submitter?.getAttribute("value") === "comment";
    setEmpty(isComment && !note.trim());
    for (const sent of [accept, comment]) sent.reset();
    // Also Enter in a field gets here.
    if (!isComment) setAsked(true);
    else if (note.trim()) comment.mutate();
  };
  const form = (
    <form className={styles.answer} onSubmit={submit} aria-label={t.answer}>
      <h2>{t.answer}</h2>
      {proposal.accepted && <Notice kind="info">{accept.isSuccess ? t.accepted : t.isAccepted}</Notice>}
      <TextInput
        label={t.name}
        required
        autoComplete="name"
        maxLength={limits.userNameLength}
        value={client.name}
        error={faults.name}
        onChange={({ currentTarget: { value } }) => setClient({ ...client, name: value })}
      />
      <TextInput
        label={t.email}
        required
        type="email"
        autoComplete="email"
        maxLength={limits.emailLength}
        value={client.email}
        error={faults.email}
        onChange={({ currentTarget: { value } }) => setClient({ ...client, email: value })}
      />
      <Textarea
        label={t.note}
        autosize
        minRows={3}
        maxLength={limits.linkNoteLength}
        value={note}
        error={isEmpty && t.noteMissing}
        onChange={({ currentTarget: { value } }) => setNote(value)}
      />
      <p className="muted">{t.claimed}</p>
      {failed !== null && <Notice kind="bad">{refusalText(failed)}</Notice>}
      {comment.isSuccess && <Notice kind="info">{t.commented}</Notice>}
      <div className={styles.buttons}>
        {!proposal.accepted && (
          <Button type="submit" value="accept" loading={accept.isPending} disabled={!mayAccept}>
            {t.accept}
          </Button>
        )}
        <Button type="submit" value="comment" variant="default" loading={comment.isPending}>
          {t.comment}
        </Button>
      </div>
    </form>
  );
  return (
    <>
      {form}
      {isAsked && (
        <Confirm
          title={t.acceptTitle(total)}
          text={t.acceptText}
          action={t.accept}
          isDangerous={false}
          // What went wrong shows in the form.
          request={{ isPending: accept.isPending, error: null }}
          onConfirm={() => accept.mutate()}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}
