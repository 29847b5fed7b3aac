let language: string | null = null

/** Requests the server's texts in the interface's language: refusals, and the mails of a new account. */
export function setApiLanguage(locale: string): void {
  language = locale
}

/** The language in which the server's texts are requested; null before it is known. */
export const apiLanguage = (): string | null => language

/** The header with the interface's language; empty before the language is known. */
export const languageHeader = (): Readonly<Record<string, string>> =>
  language === null ? {} : { 'accept-language': language }
