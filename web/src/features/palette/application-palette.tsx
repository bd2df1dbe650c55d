import { useMantineColorScheme } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { useSession } from "../../api/session.ts";
import { appTexts } from "../../app/texts.ts";
import { adminTexts } from "../admin/texts.ts";
import { profileTexts } from "../profile/texts.ts";
import { type Commands, type PaletteItem, showCommands } from "./commands.ts";
import { Palette } from "./palette.tsx";
import { keepRecent, type Recent, readRecent } from "./recent.ts";
import { paletteTexts as t } from "./texts.ts";
import { useElsewhere } from "./use-elsewhere.ts";

/** So many of what was used last show before anything is typed. */
const RECENT_SHOWN = 5;

const THEMES = ["light", "dark", "auto"] as const;

interface ApplicationPaletteProps {
  /** The commands of the page. */
  readonly parts: readonly Commands[];
  readonly onClose: () => void;
}

/** Finds every command of the page, every page, and what is stored: estimations, templates and people. */
export function ApplicationPalette({ parts, onClose }: ApplicationPaletteProps) {
  const session = useSession();
  const userId = session?.userId;
  const { history } = useRouter();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const elsewhere = useElsewhere(session !== null);
  const itemsOf = (isOfAll: boolean) =>
    parts.filter((part) => (part.isOfAll ?? false) === isOfAll).flatMap(({ items }) => items);
  const here = itemsOf(false).map((item) => ({ ...item, group: t.groups.page }));
  const themes = THEMES.filter((name) => name !== colorScheme).map((name) => ({
    id: `theme ${name}`,
    label: t.theme(appTexts.header.themes[name]),
    run: () => setColorScheme(name),
  }));
  const pages = session === null ? PAGES.filter(({ isOpen }) => isOpen) : PAGES;
  const everywhere: PaletteItem[] = [
    ...pages,
    ...(session?.isAdministrator ? ADMIN_PAGES : []),
    ...themes,
    { id: "keys", label: t.keys, keys: "?", run: () => showCommands("keys") },
    ...itemsOf(true),
  ].map((item) => ({ detail: "run" in item ? t.command : t.page, ...item, group: t.groups.everywhere }));
  const commands = [...here, ...everywhere];
  const recent = userId === undefined ? [] : usable(readRecent(userId), commands);
  const ids = new Set(recent.map(({ id }) => id));
  const others = [...commands, ...parts.flatMap(({ places = [] }) => places)].filter(({ id }) => !ids.has(id));
  return (
    <Palette
      placeholder={parts.find(({ placeholder }) => placeholder)?.placeholder ?? t.placeholder}
      items={[...recent, ...others]}
      offer={(typed) => parts.flatMap(({ offer }) => offer?.(typed) ?? [])}
      elsewhere={{ ...elsewhere, found: elsewhere.found.filter(({ id }) => !ids.has(id)) }}
      onChoose={(item) => {
        // What only this page has, such as its lines, is not what one looks for the next time.
        if (userId !== undefined && (item.to !== undefined || item.group !== undefined)) keepRecent(userId, item);
        if (item.to === undefined) item.run?.();
        else history.push(item.to);
      }}
      onClose={onClose}
    />
  );
}

/** Returns what was used last and can be used here. */
function usable(recent: readonly Recent[], commands: readonly PaletteItem[]): PaletteItem[] {
  return recent
    .flatMap((one) => commands.find(({ id }) => id === one.id) ?? (one.to === undefined ? [] : one))
    .slice(0, RECENT_SHOWN)
    .map((item) => ({ ...item, group: t.groups.recent }));
}

const { header } = appTexts;

const pageOf = (to: string, label: string, isOpen = false) => ({ id: to, label, to, isOpen });

const PAGES = [
  pageOf("/estimations", header.estimations),
  pageOf("/estimations/new", t.newEstimation),
  pageOf("/reviews", header.reviews),
  pageOf("/shared", header.shared),
  pageOf("/teams", header.teams),
  pageOf("/templates", t.templates),
  pageOf("/estimations/trash", t.trash),
  pageOf("/accuracy", header.accuracy),
  ...Object.entries(profileTexts.pages).map(([to, label]) => pageOf(to, label)),
  pageOf("/docs", header.docs, true),
  pageOf("/glossary", header.glossary, true),
];

const ADMIN_PAGES = Object.entries(adminTexts.pages).map(([to, label]) => pageOf(to, `${adminTexts.label}: ${label}`));
