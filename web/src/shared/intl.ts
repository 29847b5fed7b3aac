/** Formatters by language and options: making one takes up to half a millisecond, which a table would spend in each of its cells. */
export const kept = <Options extends object, Formatter>(make: (locale: string, options?: Options) => Formatter) => {
  const made = new Map<string, Formatter>()
  return (locale: string, options?: Options): Formatter => {
    const key = locale + JSON.stringify(options)
    const formatter = made.get(key) ?? make(locale, options)
    made.set(key, formatter)
    return formatter
  }
}

/** `Intl.NumberFormat`, made once. */
export const numberFormat = kept((locale, options?: Intl.NumberFormatOptions) => Intl.NumberFormat(locale, options))

/** `Intl.DateTimeFormat`, made once. */
export const dateFormat = kept((locale, options?: Intl.DateTimeFormatOptions) => Intl.DateTimeFormat(locale, options))
