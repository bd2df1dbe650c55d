import { useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useStable } from "../use-stable.ts";

/** Browsers refuse an address that changes too often, as it would while an arrow key is held. */
const PAUSE_MS = 300;

/**
 * Calls `goTo` with the id that the address names behind `#`, each time that a link leads there, and writes the selected line
 * there, so that the address can be handed on.
 */
export function useLinkedLine(line: { readonly id: string } | null, goTo: (id: string) => void): void {
  const hash = useLocation({ select: (location) => location.hash });
  const visit = useLocation({ select: ({ state }) => state.__TSR_key });
  const navigate = useNavigate();
  const done = useRef<string | undefined>(undefined);
  const written = useRef<string | undefined>(undefined);
  const follow = useStable(goTo);
  useEffect(() => {
    if (hash === "" || done.current === `${visit} ${hash}`) return;
    done.current = `${visit} ${hash}`;
    const isOwn = written.current === hash;
    written.current = undefined;
    if (!isOwn) follow(hash);
  }, [hash, visit, follow]);
  const id = line?.id;
  const write = useStable((next: string) => {
    if (next === hash) return;
    written.current = next;
    void navigate({ to: ".", search: true, hash: next, replace: true, resetScroll: false, hashScrollIntoView: false });
  });
  useEffect(() => {
    if (id === undefined) return undefined;
    const timer = setTimeout(() => write(id), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [id, write]);
}
