import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useState } from "react";
import { failureText } from "../../api/failure.ts";
import { type FoundUser, usersQuery } from "./queries.ts";
import { userTexts as t } from "./texts.ts";

/** What looking up a part of a name has shown: a fault, or several people of whom the reader chooses one. */
interface Outcome {
  readonly written: string;
  readonly fault: string;
  readonly people: readonly FoundUser[];
}

/** An address that was found, and the form that is sent with it. */
interface Found {
  readonly email: string;
  readonly form: HTMLFormElement;
}

/**
 * Holds the form of a field back while the field has a part of a name: it is looked up, and the form is sent with the
 * address of the only person who has it. Of several the reader chooses one by `choose`; where there is none, the fault says so.
 */
export function useLookUp(field: RefObject<HTMLInputElement | null>, value: string, onChange: (email: string) => void) {
  const queries = useQueryClient();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [found, setFound] = useState<Found | null>(null);
  const written = value.trim();
  useEffect(() => {
    const form = field.current?.form;
    if (!form || written === "" || written.includes("@")) return;
    let isOutdated = false;
    const hold = (event: Event) => {
      // On its way down to the form, so that the form's own handler does not hear of it.
      event.preventDefault();
      event.stopPropagation();
      void queries.fetchQuery(usersQuery(written)).then(
        (people) => {
          const [only, ...others] = people;
          if (isOutdated) return;
          if (only && others.length === 0) setFound({ email: only.email, form });
          else setOutcome({ written, people, fault: (only ? t.several : t.nobody)(written) });
        },
        (error) => !isOutdated && setOutcome({ written, people: [], fault: failureText(error) }),
      );
    };
    form.addEventListener("submit", hold);
    return () => {
      isOutdated = true;
      form.removeEventListener("submit", hold);
    };
  }, [field, queries, written]);
  useEffect(() => {
    if (!found) return;
    if (value !== found.email) return onChange(found.email);
    setFound(null);
    found.form.requestSubmit();
  }, [found, value, onChange]);
  return {
    outcome: outcome?.written === written ? outcome : null,
    choose: ({ email }: FoundUser) => field.current?.form && setFound({ email, form: field.current.form }),
  };
}
