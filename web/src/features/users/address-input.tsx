import { Button, TextInput, type TextInputProps } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import { limits } from "../../../../contract/limits.ts";
import styles from "./address-input.module.css";
import { usersQuery } from "./queries.ts";
import { useLookUp } from "./use-look-up.ts";

interface AddressInputProps extends Omit<TextInputProps, "onChange"> {
  readonly value: string;
  readonly onChange: (written: string) => void;
}

/**
 * A field for an e-mail address. While it is typed, people whom the reader may find are proposed, and a form that is sent
 * with a part of a name looks it up first.
 */
export function AddressInput({ value, onChange, error, ...props }: AddressInputProps) {
  const field = useRef<HTMLInputElement>(null);
  const { outcome, choose } = useLookUp(field, value, onChange);
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
        ref={field}
        error={error ?? outcome?.fault}
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
      {outcome && outcome.people.length > 0 && (
        <div className={styles.people}>
          {outcome.people.map((person) => (
            <Button key={person.id} size="compact-sm" variant="default" onClick={() => choose(person)}>
              {person.name} ({person.email})
            </Button>
          ))}
        </div>
      )}
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
    ...usersQuery(q),
    enabled: q.length >= SEARCHED_LENGTH,
    placeholderData: keepPreviousData,
  });
  const isSearched = q.length >= SEARCHED_LENGTH;
  const isSettled = q === written.trim() && (!isSearched || (!search.isFetching && !search.isPlaceholderData));
  return { found: isSearched ? (search.data ?? []) : [], isSettled };
}
