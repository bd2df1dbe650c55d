import { Button } from "@mantine/core";
import { failureText } from "../api/failure.ts";
import { Notice } from "./notice.tsx";
import { uiTexts } from "./texts.ts";

interface LoadFailureProps {
  readonly query: { readonly error: unknown; readonly refetch: () => unknown };
}

/** Says why something could not be loaded; nothing if it could. */
export const LoadFailure = ({ query }: LoadFailureProps) =>
  query.error === null ? null : (
    <Notice
      kind="bad"
      action={
        <Button variant="default" size="compact-sm" onClick={() => void query.refetch()}>
          {uiTexts.retry}
        </Button>
      }
    >
      {failureText(query.error)}
    </Notice>
  );
