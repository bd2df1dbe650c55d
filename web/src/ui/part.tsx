import { CatchBoundary, type ErrorComponentProps } from "@tanstack/react-router";
import { type ReactNode, Suspense, useEffect } from "react";
import { FloatingNotice } from "./floating-notice.tsx";
import { NoticeButton } from "./notice.tsx";
import { reloadAfterUpgrade } from "./reload-after-upgrade.ts";
import { uiTexts } from "./texts.ts";

interface PartProps {
  /** Shows until the part is loaded. */
  readonly fallback?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page whose code is loaded when it is needed. Where that fails, the rest of the page stays as it is. */
export const Part = ({ fallback, children }: PartProps) => (
  <CatchBoundary getResetKey={() => ""} errorComponent={LostPart}>
    <Suspense fallback={fallback}>{children}</Suspense>
  </CatchBoundary>
);

function LostPart({ error }: ErrorComponentProps) {
  useEffect(() => void reloadAfterUpgrade(error), [error]);
  return (
    <FloatingNotice
      kind="warn"
      action={<NoticeButton onClick={() => location.reload()}>{uiTexts.reload}</NoticeButton>}
    >
      {uiTexts.partLost}
    </FloatingNotice>
  );
}
