import { TextInput, type TextInputProps } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import { limits } from "../../../../contract/limits.ts";
import { api } from "../../api/client.ts";
import { keys } from "../../api/keys.ts";

interface AddressInputProps extends Omit<TextInputProps, "onChange"> {
  readonly value: string;
  readonly onChange: (written: string) => void;
}

/** A field for an e-mail address. While it is typed, people whom the reader may find are proposed. */
export function AddressInput({ value, onChange, ...props }: AddressInputProps) {
  const listId = useId();
  const { found, isSettled } = useFoundUsers(value);
  // A part of a name is enough where only one person has it: left or confirmed with Enter, it becomes the address.
  const [isDone, setDone] = useState(false);
  const confirmed = useRef<HTMLFormElement>(null);
  const only = found.length === 1 && !value.includes("@") ? found[0]?.email : undefined;
  useEffect(() => {
    if (!isDone || !isSettled) return;
    setDone(false);
    if (only !== undefined) onChange(only);
    else confirmed.current?.requestSubmit();
    confirmed.current = null;
  }, [isDone, isSettled, only, onChange]);
  return (
    <>
      <TextInput
        {...props}
        inputMode="email"
        autoComplete="off"
        list={listId}
        required
        maxLength={limits.emailLength}
        value={value}
        onChange={(event) => {
          setDone(false);
          onChange(event.currentTarget.value);
        }}
        onBlur={() => setDone(true)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || value.includes("@") || (isSettled && only === undefined)) return;
          event.preventDefault();
          confirmed.current = event.currentTarget.form;
          setDone(true);
        }}
      />
      <datalist id={listId}>
        {found.map(({ email, name }) => (
          <option key={email} value={email} label={name} />
        ))}
      </datalist>
    </>
  );
}

const PAUSE_MS = 250;
const SEARCHED_LENGTH = 2;

/** Returns people whose name or address has what was written, once the writer pauses. A search that fails finds nobody. */
function useFoundUsers(written: string) {
  const [q, setQ] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setQ(written.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [written]);
  const search = useQuery({
    queryKey: keys.users(q),
    queryFn: async () => (await api.searchUsers({ query: { q } })).data.users,
    enabled: q.length >= SEARCHED_LENGTH,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: false,
  });
  const isSearched = q.length >= SEARCHED_LENGTH;
  const isSettled = q === written.trim() && (!isSearched || (!search.isFetching && !search.isPlaceholderData));
  return { found: isSearched ? (search.data ?? []) : [], isSettled };
}
