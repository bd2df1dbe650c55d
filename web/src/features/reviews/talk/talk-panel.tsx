import { useState } from "react";
import { Choice } from "../../../ui/choice.tsx";
import { IconDown } from "../../../ui/icons.tsx";
import { ToolButton } from "../../../ui/tool-button.tsx";
import { reviewTexts } from "../texts.ts";
import styles from "./talk.module.css";
import { ThreadView } from "./thread-view.tsx";
import type { Thread } from "./threads.ts";
import { useLinkedThread } from "./use-linked-thread.ts";

const t = reviewTexts.talk;

interface PanelProps {
  readonly threads: readonly Thread[];
  readonly estimationId: string;
  readonly userId: string;
  readonly canWrite: boolean;
  readonly titleOf: (line: string) => string | undefined;
  /** Goes to the next line with something open; null without any. */
  readonly onNext: (() => void) | null;
}

/** What was said, open threads or all. */
export function TalkPanel({ threads, onNext, ...shared }: PanelProps) {
  const [which, setWhich] = useState<"open" | "all">("open");
  const open = threads.filter(({ first }) => !first.resolved);
  const linked = useLinkedThread(threads);
  const shown = which === "open" ? threads.filter((thread) => open.includes(thread) || thread === linked) : threads;
  return (
    <section aria-label={t.title} className={styles.threads}>
      <div className={styles.head}>
        <h2>{t.title}</h2>
        {onNext && (
          <ToolButton label={t.next} look="boxed" onPress={onNext}>
            <IconDown />
          </ToolButton>
        )}
        {open.length < threads.length && (
          <Choice label={t.filter} options={{ open: t.open, all: t.all }} value={which} onChange={setWhich} />
        )}
      </div>
      {shown.length === 0 && <p className="muted">{threads.length === 0 ? t.none : t.noneOpen}</p>}
      {shown.map((thread) => (
        <ThreadView key={thread.first.id} thread={thread} {...shared} />
      ))}
    </section>
  );
}
