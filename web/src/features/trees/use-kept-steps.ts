import { useEffect } from "react";
import { currentSession } from "../../api/session.ts";
import { keepSteps, loadSteps } from "./kept-steps.ts";
import type { TreeSync } from "./tree-sync.ts";

const PAUSE_MS = 300;

/** Lets undo and redo go on where they were when the estimation was left, also after a reload. */
export function useKeptSteps(sync: TreeSync, id: string): void {
  useEffect(() => {
    const userId = currentSession()?.userId ?? "";
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isLoaded = false;
    let isLeft = false;
    let { past } = sync.current();
    const keep = () => {
      clearTimeout(timer);
      timer = undefined;
      if (isLoaded) void keepSteps(userId, id, sync.current());
    };
    const watch = () => {
      const now = sync.current();
      if (now.past !== past) {
        past = now.past;
        clearTimeout(timer);
        timer = setTimeout(keep, isLeft ? 0 : PAUSE_MS);
      }
      // Saving gives new things their lasting ids, also after the page was left.
      if (isLeft && now.saving === "saved") stop();
    };
    const stop = sync.subscribe(watch);
    void loadSteps(userId, id).then((steps) => {
      isLoaded = true;
      if (steps) sync.recall(steps);
    });
    const hide = () => timer !== undefined && keep();
    addEventListener("pagehide", hide);
    return () => {
      removeEventListener("pagehide", hide);
      isLeft = true;
      hide();
      watch();
    };
  }, [sync, id]);
}
