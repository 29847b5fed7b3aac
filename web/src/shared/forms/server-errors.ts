import { detailOf, isApiError, messageOf } from '../api/index.ts'
import { inSequence } from '../i18n/in-sequence.ts'

/** An error and its field; `root` is the whole form. */
export interface FieldError<Field extends string> {
  readonly field: Field | 'root'
  readonly message: string
}

interface Options<Field extends string> {
  /** The form's visible fields; details about other fields are shown for the whole form. */
  readonly fields: readonly Field[]
  /** The field that a server code refers to. */
  readonly byCode: Readonly<Record<string, Field>>
  /** The text if the server sent none. */
  readonly fallback: string
  /** The text if the server was unreachable or broken. */
  readonly unavailable?: string | undefined
  /** The text at a field once the language of the server's own has been changed; the fallback by default. */
  readonly check?: string
  /** A text to append if the server was unreachable. */
  readonly unreachable?: string
}

/** Assigns a server's refusal to the fields of a form, in their order; returns at least one error. */
export function placeErrors<Field extends string>(error: unknown, options: Options<Field>): FieldError<Field>[] {
  const { fields, byCode, unreachable } = options
  const away = isApiError(error) && (error.status === 0 || error.status >= 500)
  const fallback = (away ? options.unavailable : undefined) ?? options.fallback
  const placed = fields.flatMap((field) => {
    const message = detailOf(error, (path) => path === field, options.check ?? fallback)
    return message === undefined ? [] : [{ field, message }]
  })
  if (placed.length > 0) return placed
  if (unreachable !== undefined && isApiError(error) && error.status === 0) {
    return [{ field: 'root', message: inSequence(fallback, unreachable) }]
  }
  const field = (isApiError(error) ? byCode[error.code] : undefined) ?? 'root'
  return [{ field, message: messageOf(error, fallback) }]
}
