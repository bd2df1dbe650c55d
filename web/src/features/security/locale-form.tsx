import { NativeSelect } from "@mantine/core";
import { formatCount, formatDay, formatExactHours } from "../../ui/numbers/format.ts";
import { chooseLocale, chosenLocale, locales, nameOfLocale, pageLocale } from "../../ui/numbers/locale.ts";
import styles from "./security-page.module.css";
import { securityTexts as t } from "./texts.ts";

const CHOICES = [
  { value: "", label: t.sameAsBrowser(nameOfLocale(navigator.language)) },
  ...[...new Set([...locales, ...(chosenLocale() === null ? [] : [pageLocale])])]
    .map((value) => ({ value, label: nameOfLocale(value) }))
    .sort((one, other) => one.label.localeCompare(other.label, "en")),
];

/** How numbers and dates are written and read in this browser. The page is loaded again with the choice. */
export const LocaleForm = () => (
  <div className={styles.form}>
    <NativeSelect
      label={t.locale}
      description={t.localeExample(formatCount(12_500), formatExactHours(7.5), formatDay("2026-03-31T12:00:00.000Z"))}
      data={CHOICES}
      value={chosenLocale() ?? ""}
      onChange={(event) => {
        chooseLocale(event.currentTarget.value || null);
        location.reload();
      }}
    />
  </div>
);
