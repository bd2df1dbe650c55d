import type { Estimation } from "../../../../contract/endpoints/estimations.ts";
import type { Move } from "../../../../contract/values/statuses.ts";
import { movesFrom } from "../../../../domain/states.ts";
import { download } from "../downloads/download.ts";
import { downloadTexts } from "../downloads/texts.ts";
import { mayEdit } from "../estimations/rights.ts";
import { exportTexts } from "../exports/texts.ts";
import type { Commands, PaletteItem } from "../palette/commands.ts";
import { paletteTexts } from "../palette/texts.ts";
import { stateTexts as t } from "./texts.ts";

interface HeadCommandsOf {
  readonly estimation: Estimation;
  /** The path of the page that shows it. */
  readonly pathname: string;
  /** Returns once what the reader looks at is saved. */
  readonly untilSaved: () => Promise<unknown>;
  readonly onMove: (move: Move) => void;
  /** Undefined where it cannot be asked for. */
  readonly onRequestReview: (() => void) | undefined;
  readonly onMakeTemplate: () => void;
  /** Does it, and says why it failed. */
  readonly onAct: (act: () => Promise<void>) => void;
}

const { command } = paletteTexts;
const FORMATS = Object.keys(downloadTexts.formats) as (keyof typeof downloadTexts.formats)[];

/** Returns what can be done with an estimation on each of its pages, and these pages. */
export function headCommands({ estimation, pathname, untilSaved, onAct, ...on }: HeadCommandsOf): Commands {
  const { id, status, access } = estimation;
  const base = `/estimations/${id}`;
  const isOwner = access === "owner";
  const canEdit = mayEdit(estimation);
  const run = (name: string, label: string, act: () => void): PaletteItem => ({
    ...{ id: `command ${name}`, label, detail: command, run: act },
  });
  const tabs = Object.entries(PATHS)
    .map(([tab, path]) => ({ tab: tab as keyof typeof PATHS, to: base + path }))
    .filter(({ tab, to }) => to !== pathname && (isOwner || tab !== "shares"))
    .map(({ tab, to }) => ({ id: `tab ${tab}`, label: t.tabs[tab], detail: t.pageOfThis, to }));
  const { onRequestReview } = on;
  const printing: PaletteItem = {
    ...{ id: "command print", label: downloadTexts.print, detail: command, to: `${base}/print` },
    // Elsewhere the keys print the page itself.
    ...(pathname === base ? { keys: downloadTexts.printKeys } : {}),
  };
  return {
    items: [
      ...(isOwner ? [{ id: "command share", label: t.shareLong, detail: command, to: `${base}/shares` }] : []),
      ...(onRequestReview ? [run("request review", t.requestReview, onRequestReview)] : []),
      ...(canEdit ? movesFrom(status).map((move) => run(move, t.moves[move], () => on.onMove(move))) : []),
      ...(canEdit && pathname !== `${base}/tasks`
        ? [{ id: "command export", label: exportTexts.command, detail: command, to: `${base}/tasks#export` }]
        : []),
      ...FORMATS.map((format) =>
        run(`download ${format}`, t.download(downloadTexts.formats[format]), () =>
          onAct(async () => {
            await untilSaved();
            await download(id, format);
          }),
        ),
      ),
      printing,
      ...(canEdit ? [run("template", t.makeTemplate, on.onMakeTemplate)] : []),
      ...tabs,
    ],
  };
}

const PATHS = {
  tree: "",
  timeline: "/timeline",
  tasks: "/tasks",
  versions: "/versions",
  reviews: "/reviews",
  activity: "/activity",
  shares: "/shares",
} as const;
