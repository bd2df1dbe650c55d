import { Button } from "@mantine/core";
import { failureText, isRefusal } from "../api/failure.ts";
import { LinkButton } from "./link-button.tsx";
import { Message } from "./message.tsx";
import { uiTexts } from "./texts.ts";

interface FailedPageProps {
  readonly error: unknown;
  /** Loads it again; where it may not be seen, that makes no sense. */
  readonly onRetry?: () => void;
}

/** A page of an estimation that could not be loaded: why, and what to do. */
export function FailedPage({ error, onRetry }: FailedPageProps) {
  const isUnseen = isRefusal(error, "not_found");
  return (
    <Message
      title={isUnseen ? uiTexts.unseen.title : uiTexts.failed}
      text={isUnseen ? uiTexts.unseen.text : failureText(error)}
    >
      {onRetry && !isUnseen ? (
        <Button onClick={onRetry}>{uiTexts.retry}</Button>
      ) : (
        <LinkButton to="/estimations">{uiTexts.backToList}</LinkButton>
      )}
    </Message>
  );
}
