/** Formatters by language and options: making one takes up to half a millisecond, which a table would spend in each of its cells. */
const kept = <Options extends object, Formatter>(make: (locale: string, options: Options | undefined) => Formatter) => {
  const made = new Map<string, Formatter>()
  return (locale: string, options?: Options): Formatter => {
    const key = options === undefined ? locale : `${locale} ${JSON.stringify(options)}`
    const formatter = made.get(key) ?? make(locale, options)
    made.set(key, formatter)
    return formatter
  }
}

/** `Intl.NumberFormat`, made once. */
export const numberFormat = kept((locale, options?: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options))

/** `Intl.DateTimeFormat`, made once. */
export const dateFormat = kept(
  (locale, options?: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
)

/** `Intl.RelativeTimeFormat`, made once. */
export const relativeFormat = kept(
  (locale, options?: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(locale, options),
)
