import type { ErrorBody, Locale } from '@parley/contracts'
import { z } from 'zod'
import { errorText } from './error-texts/error-text.ts'

/** Faults named at most; a caller who corrects these hears of the others. */
const mostFaults = 20

const { ar, de, es, fr, ja, zhCN: zh } = z.locales
/** What a schema without words of its own says of a fault. English is zod's default. */
const issueTexts = {
  ar: ar().localeError,
  de: de().localeError,
  es: es().localeError,
  fr: fr().localeError,
  ja: ja().localeError,
  zh: zh().localeError,
} satisfies Record<Exclude<Locale, 'en'>, unknown>

/** A value as its schema gives it, or what is wrong with it. */
export type Validated<Value> =
  | { readonly data: Value; readonly faults?: never }
  | { readonly data?: never; readonly faults: NonNullable<ErrorBody['details']> }

/**
 * Holds a value against a schema and names its faults in a language.
 * @param whole what is named where the value itself is at fault
 */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  whole: string,
  locale: Locale = 'en',
): Validated<z.output<Schema>> {
  const { success, data, error } = schema.safeParse(value, locale === 'en' ? undefined : { error: issueTexts[locale] })
  if (success) return { data }
  const faults = error.issues.slice(0, mostFaults).map(({ path, message }) => {
    return { path: path.join('.') || whole, message: errorText(message, locale) }
  })
  return { faults }
}
