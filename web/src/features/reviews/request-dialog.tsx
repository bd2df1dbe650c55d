import { Button, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { limits } from "../../../../contract/limits.ts";
import { api } from "../../api/client.ts";
import { failureText, faultsByField, isRefusal } from "../../api/failure.ts";
import { keys } from "../../api/keys.ts";
import { Dialog, DialogEnd, DialogForm } from "../../ui/dialog.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Person } from "../../ui/person.tsx";
import { uiTexts } from "../../ui/texts.ts";
import { estimationQuery } from "../estimations/queries.ts";
import { stateTexts } from "../states/texts.ts";
import { AddressInput } from "../users/address-input.tsx";
import styles from "./request-dialog.module.css";
import { reviewTexts as t } from "./texts.ts";
import { useColleagues } from "./use-colleagues.ts";

interface RequestDialogProps {
  readonly estimationId: string;
  /** Returns the revision that the reader looks at, once it is saved. */
  readonly revision: () => Promise<string>;
  /** Loads what somebody else changed meanwhile. */
  readonly catchUp: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks somebody for a review of what the reader looks at. */
export function RequestDialog({ estimationId: id, revision, catchUp, onClose }: RequestDialogProps) {
  const queries = useQueryClient();
  const [reviewerEmail, setReviewer] = useState("");
  const [reviewerId, setColleague] = useState<string | null>(null);
  const colleagues = useColleagues(id);
  const reload = () => queries.invalidateQueries({ queryKey: estimationQuery(id).queryKey });
  const request = useMutation({
    mutationFn: async (note: string) => {
      const who = reviewerId === null ? { reviewerEmail: reviewerEmail.trim() } : { reviewerId };
      const body = { ...who, note: note.trim() === "" ? null : note };
      return await api.requestReview({ params: { id }, headers: { "if-match": await revision() }, body });
    },
    onSuccess: () => {
      for (const queryKey of [keys.estimations, keys.reviews]) void queries.invalidateQueries({ queryKey });
      return reload();
    },
    onError: async (error) => {
      if (isRefusal(error, "revision_mismatch")) await Promise.all([reload(), catchUp()]);
    },
  });
  if (request.isSuccess) {
    const { reviewer, version, id: reviewId } = request.data.data.review;
    return (
      <Dialog key="asked" title={t.askedTitle} onClose={onClose}>
        <p>{t.asked(reviewer.name, version.number)}</p>
        <DialogEnd>
          <LinkButton variant="default" to="/estimations/$id/reviews/$reviewId" params={{ id, reviewId }}>
            {t.openReview}
          </LinkButton>
          <Button onClick={onClose}>{t.done}</Button>
        </DialogEnd>
      </Dialog>
    );
  }
  const faults = faultsByField(request.error);
  const isUnplaced = request.isError && faults.reviewerEmail === undefined && faults.note === undefined;
  return (
    <Dialog title={t.request} onClose={onClose}>
      <DialogForm onSubmit={(fields) => request.mutate(String(fields.get("note") ?? ""))}>
        <p className="muted">{t.requestText}</p>
        {colleagues.length > 0 && (
          <fieldset className={styles.people}>
            <legend>{t.people}</legend>
            {[...colleagues, { id: null, name: t.otherPerson }].map((person) => (
              <label key={person.id}>
                <input
                  type="radio"
                  name="person"
                  checked={person.id === reviewerId}
                  onChange={() => setColleague(person.id)}
                />
                {person.id === null ? person.name : <Person name={person.name} />}
              </label>
            ))}
          </fieldset>
        )}
        {reviewerId === null && (
          <AddressInput
            label={t.reviewer}
            description={t.reviewerHint}
            error={faults.reviewerEmail}
            value={reviewerEmail}
            onChange={setReviewer}
          />
        )}
        <Textarea
          name="note"
          label={t.note}
          placeholder={t.notePlaceholder}
          autosize={false}
          rows={3}
          maxLength={limits.reviewNoteLength}
          error={faults.note}
        />
        {isUnplaced && (
          <Notice kind="bad">
            {isRefusal(request.error, "revision_mismatch") ? stateTexts.stale : failureText(request.error)}
          </Notice>
        )}
        <DialogEnd>
          <Button variant="default" onClick={onClose}>
            {uiTexts.cancel}
          </Button>
          <Button
            type="submit"
            loading={request.isPending}
            disabled={reviewerId === null && reviewerEmail.trim() === ""}
          >
            {t.send}
          </Button>
        </DialogEnd>
      </DialogForm>
    </Dialog>
  );
}
