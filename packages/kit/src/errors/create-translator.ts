import type { Locale } from '@parley/contracts'

type Texts = Readonly<Record<string, string>>

const escaped = (text: string): string => text.replace(/[.*+?^$()|[\]\\{}]/g, '\\$&')
const patternOf = (english: string): RegExp =>
  new RegExp(
    `^${english
      .split(/\{\d\}/)
      .map(escaped)
      .join('([^]*)')}$`,
  )

/**
 * Says a text of a service in a language; unchanged where that language has none for it.
 * @param textsByLocale translations by their English text, in which `{0}` and `{1}` stand for values in this order, in every language; those in English
 * are of texts that are stored, and have been worded differently since
 */
export function createTranslator(
  textsByLocale: Readonly<Record<Exclude<Locale, 'en'>, Texts>> & { readonly en?: Texts },
) {
  const patterns = Object.keys(textsByLocale.es)
    .filter((english) => /\{\d\}/.test(english))
    .map((english) => ({ english, pattern: patternOf(english) }))

  function filledText(texts: Texts, english: string, locale: Locale): string | undefined {
    for (const known of patterns) {
      const values = known.pattern.exec(english)?.slice(1)
      if (values)
        return texts[known.english]?.replace(/\{(\d)\}/g, (_, at) => valueText(values[at] ?? '', texts, locale))
    }
    return undefined
  }

  /** A value is a name, a number, what has a text of its own, or a time such as `3 hours`. */
  function valueText(value: string, texts: Texts, locale: Locale): string {
    const [, count, unit] = /^(\d+) (second|minute|hour|day)s?$/.exec(value) ?? []
    if (unit === undefined) return ownText(texts, value) ?? filledText(texts, value, locale) ?? value
    const style = { style: 'unit', unit, unitDisplay: 'long' } as const
    return new Intl.NumberFormat(`${locale}-u-nu-latn`, style).format(Number(count))
  }

  return (english: string, locale: Locale): string => {
    const texts = textsByLocale[locale]
    if (texts === undefined) return english
    return ownText(texts, english) ?? filledText(texts, english, locale) ?? english
  }
}

const ownText = (texts: Texts, english: string): string | undefined =>
  Object.hasOwn(texts, english) ? texts[english] : undefined
