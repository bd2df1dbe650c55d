import { useState } from "react";
import { Choice } from "../../ui/choice.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import type { Description, Operation, Parameter } from "./description.ts";
import { type Inputs, keyOf, requestOf, startOf } from "./inputs.ts";
import { Line, Prose } from "./prose.tsx";
import styles from "./reference-page.module.css";
import { type Language, sample } from "./samples.ts";
import { SchemaView, typeText } from "./schema-view.tsx";
import { referenceTexts as t } from "./texts.ts";
import { Code, TryIt } from "./try-it.tsx";

interface OperationProps {
  readonly description: Description;
  readonly operation: Operation;
}

/** One request with everything that is known about it. */
export function OperationView({ description, operation }: OperationProps) {
  const [inputs, setInputs] = useState<Inputs>(() => startOf(operation));
  const { method, path, summary, parameters, body, responses } = operation;
  return (
    <article className={styles.operation}>
      <h2>{summary}</h2>
      <p className={styles.address}>
        <span className={styles.method} data-method={method}>
          {method}
        </span>{" "}
        <code>{path}</code>
      </p>
      <Prose text={operation.description} />
      <Rights operation={operation} />
      <Samples operation={operation} inputs={inputs} />
      <section aria-label={t.tryIt}>
        <h3>{t.tryIt}</h3>
        <TryIt operation={operation} inputs={inputs} onChange={setInputs} />
      </section>
      {parameters.length > 0 && (
        <section aria-label={t.parameters}>
          <h3>{t.parameters}</h3>
          <ul className={styles.fields}>
            {parameters.map((one) => (
              <ParameterLine key={keyOf(one)} parameter={one} />
            ))}
          </ul>
        </section>
      )}
      {body?.schema && (
        <section aria-label={t.body}>
          <h3>{t.body}</h3>
          <SchemaView description={description} schema={body.schema} />
        </section>
      )}
      <section aria-label={t.responses}>
        <h3>{t.responses}</h3>
        {responses.map(([status, { description: text, content }]) => (
          <details key={status}>
            <summary>
              <strong>{status}</strong> <span className="muted">{text.split("\n")[0]?.replaceAll("`", "")}</span>
            </summary>
            <Prose text={text} className={styles.note} />
            {Object.entries(content ?? {}).map(([type, { schema, example }]) => (
              <div key={type}>
                {example !== undefined && (
                  <Code
                    label={`${t.example} ${status}`}
                    text={typeof example === "string" ? example : JSON.stringify(example, null, 2)}
                  />
                )}
                {schema?.properties && <SchemaView description={description} schema={schema} />}
              </div>
            ))}
          </details>
        ))}
      </section>
    </article>
  );
}

const CREDENTIALS = { none: t.public, session: t.sessionOnly, any: t.anyCredential } as const;

const Rights = ({ operation: { credential, scopes, access } }: { readonly operation: Operation }) => (
  <p className={styles.rights}>
    {scopes.length === 0 && <span className={styles.tag}>{CREDENTIALS[credential]}</span>}
    {scopes.length > 0 && (
      <span className={styles.tag}>
        {t.scope} {scopes.join(` ${t.or} `)}
      </span>
    )}
    {access.length > 0 && (
      <span className={styles.tag}>
        {t.access} {access.join(", ")}
      </span>
    )}
  </p>
);

function Samples({ operation, inputs }: { readonly operation: Operation; readonly inputs: Inputs }) {
  const [language, setLanguage] = useState<Language>("curl");
  const text = sample(language, requestOf(operation, inputs));
  return (
    <section aria-label={t.samples}>
      <div className={styles.samples}>
        <Choice label={t.samples} options={t.languages} value={language} onChange={setLanguage} />
        <CopyButton key={text} text={text} label={t.copySample} />
      </div>
      <Code label={`${t.samples}: ${t.languages[language]}`} text={text} />
      {operation.credential !== "none" && <p className={styles.note}>{t.sampleHint}</p>}
    </section>
  );
}

const ParameterLine = ({
  parameter: { name, in: place, required, description, schema },
}: {
  readonly parameter: Parameter;
}) => (
  <li>
    <code className={styles.name}>{name}</code>{" "}
    <span className={styles.type}>
      {place}, {typeText(schema)}
    </span>
    {required && <span className={styles.tag}>{t.required}</span>}
    {description && (
      <p className={styles.note}>
        <Line text={description} />
      </p>
    )}
  </li>
);
