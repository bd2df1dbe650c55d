import { TextInput, type TextInputProps } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useId, useState } from "react";
import { limits } from "../../../../contract/limits.ts";
import { api } from "../../api/client.ts";

interface AddressInputProps extends Omit<TextInputProps, "onChange"> {
  readonly value: string;
  readonly onChange: (written: string) => void;
}

/** A field for an e-mail address. While it is typed, people whom the reader may find are proposed. */
export function AddressInput({ value, onChange, ...props }: AddressInputProps) {
  const listId = useId();
  const found = useFoundUsers(value);
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
        onChange={(event) => onChange(event.currentTarget.value)}
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
    queryKey: ["users", q],
    queryFn: async () => (await api.searchUsers({ query: { q } })).data.users,
    enabled: q.length >= SEARCHED_LENGTH,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: false,
  });
  return q.length >= SEARCHED_LENGTH ? (search.data ?? []) : [];
}
