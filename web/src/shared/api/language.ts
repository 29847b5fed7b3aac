let language: string | null = null

/** Asks the server for its texts in the interface's language: its refusals, and the mails of an account that is made. */
export function setApiLanguage(locale: string): void {
  language = locale
}

/** The header that names the interface's language; nothing before it is known. */
export const languageHeader = (): Readonly<Record<string, string>> =>
  language === null ? {} : { 'accept-language': language }
