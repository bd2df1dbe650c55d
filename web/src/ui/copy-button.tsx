import { Button } from "@mantine/core";
import { useState } from "react";
import { IconCheck, IconCopy } from "./icons.tsx";
import { uiTexts } from "./texts.ts";

interface CopyButtonProps {
  readonly text: string;
  /** What is copied. */
  readonly label: string;
}

/** Copies a text; its label then says so. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const [copied, setCopied] = useState<"no" | "yes" | "failed">("no");
  const copy = () =>
    copyText(text).then(
      () => setCopied("yes"),
      () => setCopied("failed"),
    );
  return (
    <Button
      variant="default"
      leftSection={copied === "yes" ? <IconCheck /> : <IconCopy />}
      onClick={() => void copy()}
      onBlur={() => setCopied("no")}
    >
      <span aria-live="polite">{copied === "no" ? label : copied === "yes" ? uiTexts.copied : uiTexts.notCopied}</span>
    </Button>
  );
}

/** Browsers offer their clipboard to pages of HTTPS and of loopback only. */
async function copyText(text: string): Promise<void> {
  if (!("clipboard" in navigator)) throw new Error("there is no clipboard");
  await navigator.clipboard.writeText(text);
}
