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

/** `Intl.DateTimeFormat`, made once. In French the first of a month is an ordinal, which Intl ignores: `1er décembre`. */
export const dateFormat = kept((locale, options?: Intl.DateTimeFormatOptions) => {
  const { format } = Intl.DateTimeFormat(locale, options)
  return locale === 'fr' ? { format: (date: Date) => format(date).replace(/^1 /, '1er ') } : { format }
})
