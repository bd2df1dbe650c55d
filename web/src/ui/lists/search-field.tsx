import { TextInput } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { limits } from "../../../../contract/limits.ts";
import { IconSearch } from "../icons.tsx";

const PAUSE_MS = 200;

interface SearchFieldProps {
  readonly label: string;
  /** What the list is searched for now. */
  readonly q: string | undefined;
  /** Called with undefined where nothing is searched for. */
  readonly onChange: (q: string | undefined) => void;
  readonly className?: string | undefined;
}

/** Searches a list when the reader pauses. Changes by navigation show at once. */
export function SearchField({ label, q = "", onChange, className }: SearchFieldProps) {
  const [written, setWritten] = useState(q);
  const sent = useRef(q);
  useEffect(() => {
    if (q === sent.current) return;
    sent.current = q;
    setWritten(q);
  }, [q]);
  useEffect(() => {
    if (written === sent.current) return;
    const timer = setTimeout(() => {
      const wanted = written.trim() === "" ? "" : written;
      sent.current = wanted;
      onChange(wanted || undefined);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [written, onChange]);
  return (
    <TextInput
      className={className ?? ""}
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch />}
      maxLength={limits.searchLength}
      value={written}
      onChange={(event) => setWritten(event.currentTarget.value)}
      onKeyDown={({ key, currentTarget }) => {
        // The browser empties it first; once it is empty, the keys of the page are wanted again.
        if (key === "Escape" && currentTarget.value === "") currentTarget.blur();
      }}
    />
  );
}
