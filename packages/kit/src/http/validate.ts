import type { ErrorBody, Locale } from '@parley/contracts'
import { z } from 'zod'
import { errorText } from '../errors/error-texts/error-text.ts'

/** The most faults that are listed; a caller who corrects these learns of the others. */
const mostFaults = 20

const { ar, de, es, fr, ja, zhCN: zh } = z.locales
/** zod's message for a schema without one of its own, by language. */
const issueTexts = {
  ar: ar().localeError,
  de: de().localeError,
  es: es().localeError,
  fr: fr().localeError,
  ja: ja().localeError,
  zh: zh().localeError,
  en: () => undefined,
} satisfies Record<Locale, z.core.$ZodErrorMap>

/** The message for a schema without one of its own. People meet the limits of texts in forms, where zod's words would be those of a programmer. */
const issueText =
  (locale: Locale): z.core.$ZodErrorMap =>
  (issue) =>
    issue.code === 'too_big' && issue.origin === 'string'
      ? `At most ${issue.maximum} characters`
      : issueTexts[locale](issue)

export type Validated<Value> =
  | { readonly data: Value; readonly faults?: never }
  | { readonly data?: never; readonly faults: NonNullable<ErrorBody['details']> }

/**
 * Holds a value against a schema and names its faults in a language.
 * @param whole the name used when the value itself is at fault
 */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  whole: string,
  locale: Locale = 'en',
): Validated<z.output<Schema>> {
  const { success, data, error } = schema.safeParse(value, { error: issueText(locale) })
  if (success) return { data }
  const issues = error.issues.slice(0, mostFaults).flatMap(inItsForm)
  const faults = issues.slice(0, mostFaults).map(({ path, message }) => {
    return { path: path.join('.') || whole, message: errorText(message, locale) }
  })
  return { faults }
}

/** The faults in the only form that a value of several possible forms can be meant to have, if there is one; otherwise just that it has none. */
function inItsForm(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const entered = issue.errors.filter((faults) => faults.some(({ path }) => path.length > 0))
  const known = entered.filter((faults) => faults.every(({ code }) => code !== 'unrecognized_keys'))
  const [form, ...others] = known.length > 0 ? known : entered
  if (form === undefined || others.length > 0) return [issue]
  return form.slice(0, mostFaults).flatMap((fault) => inItsForm({ ...fault, path: [...issue.path, ...fault.path] }))
}
