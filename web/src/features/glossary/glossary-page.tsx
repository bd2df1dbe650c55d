import { Link } from "@tanstack/react-router";
import { formatCount, formatExactHours } from "../../ui/numbers/format.ts";
import { useTitle } from "../../ui/use-title.ts";
import styles from "./glossary-page.module.css";
import { glossaryTexts as t } from "./texts.ts";

/** What the words of the application mean; each has an address of its own. */
export function GlossaryPage() {
  useTitle(t.title);
  return (
    <article className={styles.page}>
      <h1>{t.title}</h1>
      <p className="muted">{t.intro}</p>
      <dl className={styles.terms}>
        {t.terms.map(([id, term, meaning]) => (
          <div key={id}>
            <dt id={id}>{term}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <h2>{t.numbersTitle}</h2>
      <p className="muted">{t.numbers(formatExactHours(1.5), formatCount(12_500))}</p>
      <p>
        <Link to="/profile/security" hash="numbers">
          {t.numbersLink}
        </Link>
      </p>
    </article>
  );
}
