import { Button } from "@mantine/core";
import { lazy, useState } from "react";
import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import { Part } from "../../ui/part.tsx";
import { reviewTexts } from "./texts.ts";

const RequestDialog = lazy(async () => ({ default: (await import("./request-dialog.tsx")).RequestDialog }));

/** Asks somebody for a review of an estimation as the reader sees it. */
export function RequestButton({ estimation: { id, revision } }: { readonly estimation: Estimation }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button onClick={() => setAsking(true)}>{reviewTexts.request}</Button>
      {isAsking && (
        <Part>
          <RequestDialog
            estimationId={id}
            revision={async () => `"${revision}"`}
            catchUp={async () => {}}
            onClose={() => setAsking(false)}
          />
        </Part>
      )}
    </>
  );
}
