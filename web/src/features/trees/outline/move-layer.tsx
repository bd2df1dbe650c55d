import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { nearestPlace, type Place, placesFor } from "../find/places-to-move.ts";
import { panelTexts } from "../panels/panel-texts.ts";
import styles from "./move-layer.module.css";
import { ROW_HEIGHT } from "./row-height.ts";
import { INDENT, type Row } from "./rows.ts";

const t = panelTexts.moving;
/** Nearer than this to the end of the window, in pixels, it scrolls. */
const EDGE = 72;
const SCROLL_STEP = 12;

interface MoveProps {
  readonly rows: readonly Row[];
  readonly row: Row;
  /** Whether the pointer moves it; else the keys do. */
  readonly isPointer: boolean;
  readonly grid: RefObject<HTMLElement | null>;
  readonly onDrop: (place: Place) => void;
  readonly onCancel: () => void;
}

/** Shows where something will be while it is moved, by the pointer or by keys; Escape leaves it where it is. */
export function MoveLayer({ rows, row, isPointer, grid, onDrop, onCancel }: MoveProps) {
  const places = useMemo(() => placesFor(rows, row.id), [rows, row.id]);
  const [chosen, setPlace] = useState<Place | undefined>(() => nearestPlace(places, rows.indexOf(row), row.depth));
  const place = sameIn(places, chosen);
  const pointer = useRef<{ readonly x: number; readonly y: number } | null>(null);
  const now = useRef({ place, places, onDrop, onCancel });
  now.current = { place, places, onDrop, onCancel };
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const on = <Name extends keyof WindowEventMap>(name: Name, act: (event: WindowEventMap[Name]) => void) =>
      addEventListener(name, act, { signal, capture: true });
    const follow = () => {
      const top = grid.current?.querySelector("tbody")?.getBoundingClientRect();
      const at = pointer.current;
      if (!top || !at) return;
      const line = Math.max(0, Math.round((at.y - top.top) / ROW_HEIGHT));
      setPlace(nearestPlace(now.current.places, line, (at.x - top.left - 12) / INDENT));
    };
    const drop = () => (now.current.place ? now.current.onDrop(now.current.place) : now.current.onCancel());
    const step = (by: number) =>
      setPlace((before) => {
        const all = now.current.places;
        const same = sameIn(all, before);
        const at = same ? all.indexOf(same) : -1;
        return all[Math.max(0, Math.min(all.length - 1, at + by))];
      });
    on("keydown", (event) => {
      const actions: Readonly<Record<string, () => void>> = {
        Escape: now.current.onCancel,
        ArrowUp: () => step(-1),
        ArrowDown: () => step(1),
        Home: () => step(-now.current.places.length),
        End: () => step(now.current.places.length),
        Enter: drop,
        " ": drop,
      };
      event.preventDefault();
      event.stopImmediatePropagation();
      actions[event.key]?.();
    });
    if (!isPointer) {
      // A click elsewhere is not a valid place.
      on("pointerdown", () => now.current.onCancel());
      return () => controller.abort();
    }
    document.body.style.userSelect = "none";
    document.body.style.cursor = "grabbing";
    on("pointermove", ({ clientX: x, clientY: y }) => {
      pointer.current = { x, y };
      follow();
    });
    on("pointerup", drop);
    on("pointercancel", () => now.current.onCancel());
    let frame = requestAnimationFrame(function scroll() {
      const y = pointer.current?.y;
      if (y !== undefined && (y < EDGE + 48 || y > innerHeight - EDGE)) {
        scrollBy(0, y < EDGE + 48 ? -SCROLL_STEP : SCROLL_STEP);
        follow();
      }
      frame = requestAnimationFrame(scroll);
    });
    return () => {
      controller.abort();
      cancelAnimationFrame(frame);
      document.body.style.userSelect = "";
      document.body.style.cursor = "";
    };
  }, [grid, isPointer]);
  useEffect(() => {
    if (!isPointer && place) document.getElementById("move-place")?.scrollIntoView({ block: "nearest" });
  }, [isPointer, place]);
  const title = row.option?.title ?? row.node.title;
  return (
    <>
      {place && (
        <div
          id="move-place"
          className={styles.place}
          style={{ top: place.line * ROW_HEIGHT, left: 4 + place.depth * INDENT }}
        >
          <span className={styles.title}>{title}</span>
        </div>
      )}
      <p role="status" className="unseen">
        {t.start(title)} {place ? placeText(rows, place) : t.nowhere}
      </p>
    </>
  );
}

/** Returns that of `places` where `place` was before the lines changed. */
const sameIn = (places: readonly Place[], place: Place | undefined): Place | undefined =>
  place && !places.includes(place) ? nearestPlace(places, place.line, place.depth) : place;

function placeText(rows: readonly Row[], { parentId, afterId }: Place): string {
  const nameOf = (id: string) => {
    const row = rows.find((each) => each.id === id);
    return row?.option?.title ?? row?.node.title ?? "";
  };
  const parent = parentId === null ? t.top : nameOf(parentId);
  return afterId === null ? t.first(parent) : t.after(nameOf(afterId), parent);
}
