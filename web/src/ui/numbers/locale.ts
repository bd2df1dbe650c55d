// The locale in which numbers and dates are written and read. The words of the application are English.

const NAME = "estimation-locale";

/** Locales to choose from; another one can only be the browser's. */
export const locales = [
  "en-US",
  "en-GB",
  "en-IN",
  "de-DE",
  "de-AT",
  "de-CH",
  "fr-FR",
  "fr-CH",
  "it-IT",
  "es-ES",
  "nl-NL",
  "pt-BR",
  "pl-PL",
  "sv-SE",
] as const;

/** Returns the locale that was chosen in this browser; null if it is the browser's own. */
export function chosenLocale(): string | null {
  try {
    const chosen = localStorage.getItem(NAME);
    return chosen !== null && Intl.NumberFormat.supportedLocalesOf(chosen).length > 0 ? chosen : null;
  } catch {
    // Storage can be switched off, and what is stored can be no locale.
    return null;
  }
}

/** Chooses the locale for this browser, null for the browser's own; pages show it once they are loaded again. */
export function chooseLocale(locale: string | null): void {
  try {
    if (locale === null) localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, locale);
  } catch {
    // Without storage it stays the browser's.
  }
}

/** The locale of this page. */
export const pageLocale = chosenLocale() ?? navigator.language;

/** Returns the name of a locale, in the language of the application. */
export const nameOfLocale = (locale: string): string =>
  new Intl.DisplayNames("en", { type: "language", languageDisplay: "standard" }).of(locale) ?? locale;
