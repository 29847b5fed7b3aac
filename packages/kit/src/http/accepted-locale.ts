import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { type Locale, locales } from '@parley/contracts'
import accepts from 'accepts'

/** The language of the product that a caller asks for most by `Accept-Language`, regions aside; null when it names none. */
export function acceptedLocale(headers: IncomingHttpHeaders): Locale | null {
  if (headers['accept-language'] === undefined) return null
  const wanted = accepts({ headers } as IncomingMessage).languages()
  for (const tag of wanted) {
    const locale = locales.find((name) => name === tag.toLowerCase().split('-')[0])
    if (locale) return locale
  }
  return null
}
