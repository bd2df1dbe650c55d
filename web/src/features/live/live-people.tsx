import { useQueryClient } from "@tanstack/react-query";
import { type CSSProperties, useEffect, useState } from "react";
import type { LiveEvent } from "../../../../contract/endpoints/live.ts";
import { keys } from "../../api/keys.ts";
import { currentSession } from "../../api/session.ts";
import { hinted } from "../../ui/hinted.ts";
import { hueOf, initialsOf } from "../../ui/initials.ts";
import person from "../../ui/person.module.css";
import styles from "./live-people.module.css";
import { follow } from "./stream.ts";
import { liveTexts } from "./texts.ts";

/** How many show by their initials; the others are counted. */
const SHOWN = 4;
/** What is done in a row is loaded together, after this time in milliseconds. */
const GATHER_MS = 300;

/** Who else has the estimation open. Loads what others change of all that pages of it show, except the tree that is edited. */
export function LivePeople({ id }: { readonly id: string }) {
  const queries = useQueryClient();
  const [present, setPresent] = useState<Pick<LiveEvent, "others" | "people"> | null>(null);
  useEffect(() => {
    const kinds = new Set<string>();
    let [hasBegun, isEntering] = [false, true];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const reload = () => {
      const [all, isTalk] = [[...kinds], [...kinds].some((kind) => kind.startsWith("review."))];
      kinds.clear();
      const isContent = all.every((kind) => kind === "content.edited");
      void queries.invalidateQueries({
        predicate: ({ queryKey }) => {
          const [noun = ""] = queryKey as readonly string[];
          // The editor follows by itself.
          if (noun === keys.tree(id)[0] || noun === keys.loadedTree(id)[0]) return false;
          if (noun === keys.estimation(id)[0] && isContent && queries.getQueryData(keys.tree(id))) return false;
          if (noun === keys.comments[0] || noun === keys.reviews[0]) return isTalk;
          return queryKey.includes(id);
        },
      });
    };
    const leave = follow(id, {
      changed({ type, changes = [] }) {
        if (type === "changed" && changes.length === 0) {
          // At first, what shows was just read.
          if (hasBegun) kinds.add("").add("review.");
          hasBegun = true;
        }
        const others = changes.filter((change) => change.person.id !== currentSession()?.userId);
        for (const { kind } of others) kinds.add(kind);
        if (kinds.size === 0) return;
        clearTimeout(timer);
        timer = setTimeout(reload, GATHER_MS);
      },
      present: setPresent,
      followed(isFollowed) {
        // Another part of the page, or another tab, follows it already.
        if (isFollowed && isEntering) hasBegun = true;
        if (!isFollowed) setPresent(null);
      },
    });
    isEntering = false;
    return () => {
      leave();
      clearTimeout(timer);
    };
  }, [id, queries]);
  const { others = 0, people = [] } = present ?? {};
  if (others === 0) return null;
  const label = liveTexts.here(
    people.map(({ name }) => name),
    others,
  );
  return (
    <span className={styles.people} role="img" aria-label={label} {...hinted(label)}>
      {people.slice(0, SHOWN).map(({ id: userId, name }) => (
        <span
          key={userId}
          className={`${person.initials} ${styles.one}`}
          style={{ "--hue": hueOf(name) } as CSSProperties}
          data-initials={initialsOf(name)}
        />
      ))}
      {others > Math.min(people.length, SHOWN) && (
        <span className={styles.more}>
          {people.length > 0 && "+"}
          {others - Math.min(people.length, SHOWN)}
          {people.length === 0 && ` ${liveTexts.others(others)}`}
        </span>
      )}
    </span>
  );
}
