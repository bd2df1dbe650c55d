import { Button, TextInput } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { currentSession, useSession } from "../../api/session.ts";
import { CodeField } from "../../ui/code-field.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { Operation } from "./description.ts";
import { type Inputs, isAstray, isComplete, isGrave, keyOf, requestOf } from "./inputs.ts";
import styles from "./reference-page.module.css";
import { parsed, type Request } from "./samples.ts";
import { referenceTexts as t } from "./texts.ts";

/** Characters of a response that are shown. */
const SHOWN_MAX = 200_000;

interface ReceivedResponse {
  readonly status: number;
  readonly ms: number;
  readonly text: string;
  readonly isCut: boolean;
}

/** Sends `request` with the reader's session, and tells of the response while it arrives: some have no end. */
async function send(request: Request, signal: AbortSignal, tell: (response: ReceivedResponse) => void): Promise<void> {
  const { method, url, hasCredential, headers, body } = request;
  const token = currentSession()?.token;
  const began = performance.now();
  const response = await fetch(new URL(url).pathname + new URL(url).search, {
    method,
    signal,
    headers: {
      ...headers,
      ...(hasCredential && token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body }),
  });
  const { status } = response;
  const ms = Math.round(performance.now() - began);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  tell({ status, ms, text, isCut: false });
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    text += part.value;
    const isCut = text.length > SHOWN_MAX;
    tell({ status, ms, text: text.slice(0, SHOWN_MAX), isCut });
    if (isCut) return void reader?.cancel();
  }
}

interface TryItProps {
  readonly operation: Operation;
  readonly inputs: Inputs;
  readonly onChange: (inputs: Inputs) => void;
}

/** A form that sends the request as the reader. Samples show what is typed into it. */
export function TryIt({ operation, inputs, onChange }: TryItProps) {
  const session = useSession();
  const [response, setResponse] = useState<ReceivedResponse | "failed" | null>(null);
  const [isSending, setSending] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const sending = useRef<AbortController>(null);
  const bodyId = useId();
  // A stream has no end: it stops when the reader leaves.
  useEffect(() => () => sending.current?.abort(), []);
  const isPublic = operation.credential === "none";
  if (session === null && !isPublic) {
    return (
      <p>
        <Link to="/sign-in" search={{ to: `/docs#${operation.id}` }}>
          {t.signIn}
        </Link>
      </p>
    );
  }
  const isBroken = inputs.body !== undefined && parsed(inputs.body) === undefined;
  const submit = async () => {
    setAsked(false);
    const controller = new AbortController();
    sending.current = controller;
    setSending(true);
    setResponse(null);
    await send(requestOf(operation, inputs), controller.signal, setResponse).catch(
      () => controller.signal.aborted || setResponse("failed"),
    );
    setSending(false);
  };
  const ask = (event: FormEvent) => {
    event.preventDefault();
    if (isGrave(operation)) setAsked(true);
    else void submit();
  };
  return (
    <>
      {isAsked && (
        <Confirm
          title={t.graveTitle(operation.summary)}
          text={t.graveText}
          action={t.send}
          request={{ isPending: false, error: null }}
          onConfirm={() => void submit()}
          onClose={() => setAsked(false)}
        />
      )}
      <form className={styles.try} onSubmit={ask}>
        <p className={styles.note}>{isPublic ? t.tryPublic : t.tryHint}</p>
        {operation.parameters.map((one) => (
          <TextInput
            key={keyOf(one)}
            label={<code>{one.name}</code>}
            required={one.required === true}
            placeholder={one.example === undefined ? "" : String(one.example)}
            value={inputs.values[keyOf(one)] ?? ""}
            error={isAstray(one, inputs.values[keyOf(one)]) && t.astray}
            onChange={(event) =>
              onChange({ ...inputs, values: { ...inputs.values, [keyOf(one)]: event.currentTarget.value } })
            }
          />
        ))}
        {inputs.body !== undefined && (
          <div>
            <label htmlFor={bodyId}>{t.body}</label>
            <CodeField
              id={bodyId}
              className={styles.code}
              rows={Math.min(16, inputs.body.split("\n").length + 1)}
              aria-invalid={isBroken}
              value={inputs.body}
              onChange={(event) => onChange({ ...inputs, body: event.currentTarget.value })}
            />
            {isBroken && <Notice kind="warn">{t.badJson}</Notice>}
          </div>
        )}
        <div className={styles.buttons}>
          <Button type="submit" disabled={isSending || !isComplete(operation, inputs)}>
            {t.send}
          </Button>
          {isSending && (
            <Button variant="default" onClick={() => sending.current?.abort()}>
              {t.stop}
            </Button>
          )}
        </div>
        <div aria-live="polite">
          {response === "failed" && <Notice kind="bad">{t.unreachable}</Notice>}
          {isSending && response === null && <p className={styles.note}>{t.sending}</p>}
          {response !== null && response !== "failed" && <p>{t.received(response.status, response.ms)}</p>}
        </div>
        {response !== null && response !== "failed" && <ResponseBody response={response} />}
      </form>
    </>
  );
}

function ResponseBody({ response: { text, isCut } }: { readonly response: ReceivedResponse }) {
  if (text === "") return <p className={styles.note}>{t.noBody}</p>;
  const json = isCut ? undefined : parsed(text);
  return (
    <>
      <Code label={t.responseBody} text={json ? JSON.stringify(json.value, null, 2) : text} />
      {isCut && <p className={styles.note}>{t.cut}</p>}
    </>
  );
}

const LINES_MAX = 24;

/** Code to read and to copy. */
export const Code = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <CodeField
    className={styles.code}
    readOnly
    aria-label={label}
    rows={Math.min(LINES_MAX, text.split("\n").length)}
    value={text}
  />
);
