import { isApiError, messageOf } from '../api/index.ts'

/** A complaint and the field it stands at; `root` is the form as a whole. */
export interface FieldError<Field extends string> {
  readonly field: Field | 'root'
  readonly message: string
}

interface Options<Field extends string> {
  /** The fields that the form shows; the server's details about others go to the form as a whole. */
  readonly fields: readonly Field[]
  /** Which field a code of the server is about. */
  readonly byCode: Readonly<Record<string, Field>>
  /** What to say when the server gave no words. */
  readonly fallback: string
  /** What to say in its place when the server was out of reach or broken. */
  readonly unavailable?: string | undefined
  /** What to add when the server could not be reached. */
  readonly unreachable?: string
}

const sentence = (text: string): string => (/[.!?…。]$/.test(text) ? text : `${text}.`)

/** Where the server's refusal of a form is shown, in the order of its fields; at least one. */
export function placeErrors<Field extends string>(error: unknown, options: Options<Field>): FieldError<Field>[] {
  const { fields, byCode, unreachable } = options
  const away = isApiError(error) && (error.status === 0 || error.status >= 500)
  const fallback = (away ? options.unavailable : undefined) ?? options.fallback
  const details = isApiError(error) ? error.details : []
  const placed = fields.flatMap((field) => {
    const detail = details.find(({ path }) => path === field)
    return detail ? [{ field, message: detail.message }] : []
  })
  if (placed.length > 0) return placed
  if (unreachable !== undefined && isApiError(error) && error.status === 0) {
    return [{ field: 'root', message: `${sentence(fallback)} ${unreachable}` }]
  }
  const field = (isApiError(error) ? byCode[error.code] : undefined) ?? 'root'
  return [{ field, message: messageOf(error, fallback) }]
}
