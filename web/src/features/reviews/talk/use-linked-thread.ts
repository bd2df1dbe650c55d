import { useLocation } from "@tanstack/react-router";
import { useState } from "react";
import type { Thread } from "./threads.ts";

const holds = ({ first, replies }: Thread, id: string): boolean =>
  first.id === id || replies.some((reply) => reply.id === id);

/** Returns the thread of the comment that a link led to last, also when the address names something else by now. */
export function useLinkedThread(threads: readonly Thread[]): Thread | undefined {
  const hash = useLocation({ select: (location) => location.hash });
  const [linked, setLinked] = useState(hash);
  if (hash !== linked && threads.some((thread) => holds(thread, hash))) setLinked(hash);
  return threads.find((thread) => holds(thread, linked));
}
