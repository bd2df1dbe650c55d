import type { Commands } from "../palette/commands.ts";
import { paletteTexts } from "../palette/texts.ts";
import type { Zoom } from "./scale.ts";
import { timelineTexts as t } from "./texts.ts";
import type { Changes } from "./use-changes.ts";

interface TimelineCommandsOf {
  readonly zoom: Zoom;
  readonly onZoom: (zoom: Zoom) => void;
  readonly onExport: (kind: keyof typeof t.images) => void;
  /** Null where nothing can be changed. */
  readonly changes: Changes | null;
  readonly onSettings: () => void;
  /** Null where no other task can wait for the selected one. */
  readonly onLink: (() => void) | null;
}

const ZOOMS = Object.keys(t.zooms) as Zoom[];
const IMAGES = Object.keys(t.images) as (keyof typeof t.images)[];

/** Returns what can be done on the timeline now, and its keys. */
export function timelineCommands({ zoom, changes, onLink, ...on }: TimelineCommandsOf): Commands {
  const command = (name: string, label: string, run: () => void, keys?: string) => ({
    ...{ id: `command timeline ${name}`, label, detail: paletteTexts.command, keys, run },
  });
  const undo = changes?.undo;
  const redo = changes?.redo;
  return {
    items: [
      ...(undo ? [command("undo", t.undo, undo, "Ctrl+Z")] : []),
      ...(redo ? [command("redo", t.redo, redo, "Ctrl+Y")] : []),
      ...(changes ? [command("plan", `${t.plan}…`, on.onSettings)] : []),
      ...(onLink ? [command("link", t.task.link, onLink, t.task.linkKey)] : []),
      ...ZOOMS.filter((each) => each !== zoom).map((each) =>
        command(each, t.zoomTo(t.zooms[each]), () => on.onZoom(each)),
      ),
      ...IMAGES.map((kind) => command(`image ${kind}`, t.exportAs(t.images[kind]), () => on.onExport(kind))),
    ],
    keys: t.keys,
  };
}
