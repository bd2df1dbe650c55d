import type { PointerEvent as ReactPointerEvent } from "react";

/** Pixels from which on a pressed pointer drags. */
const DISTANCE = 6;

/** Begins to move a line when its title is dragged with a mouse, or its grip with a finger. */
export function dragStart(
  { button, pointerType, target, clientX, clientY }: ReactPointerEvent,
  begin: (id: string) => void,
) {
  const pressed = target instanceof HTMLElement ? target : null;
  const handle = pressed?.closest<HTMLElement>(pointerType === "touch" ? "[data-grip]" : "[data-drag]");
  const id = handle?.closest("tr")?.dataset.row;
  if (button !== 0 || id === undefined || pressed?.closest("input, [data-choose], [data-fold]")) return;
  const controller = new AbortController();
  const { signal } = controller;
  addEventListener(
    "pointermove",
    (moved) => {
      if (Math.hypot(moved.clientX - clientX, moved.clientY - clientY) < DISTANCE) return;
      controller.abort();
      begin(id);
    },
    { signal },
  );
  for (const end of ["pointerup", "pointercancel"] as const)
    addEventListener(end, () => controller.abort(), { signal });
}
