import type { LimitArea } from '@parley/contracts'

/** A limit as it is typed. */
export interface LimitValues {
  readonly windowMinutes: string
  readonly maxRequests: string
}

/** A limit as it is stored. */
export type Limit = { readonly [Name in keyof LimitValues]: number }

/** The bounds of each field. */
export const limitBounds = { windowMinutes: [1, 1_440], maxRequests: [1, 1_000_000] } as const

export const limitFields = ['windowMinutes', 'maxRequests'] as const

/** Whether a typed value can be saved. */
export function isWithin(name: keyof LimitValues, text: string): boolean {
  const [least, most] = limitBounds[name]
  const value = text.trim() === '' ? Number.NaN : Number(text)
  return Number.isInteger(value) && value >= least && value <= most
}

/** The typed limit; undefined while a field is invalid. */
export const limitOf = (values: LimitValues): Limit | undefined =>
  limitFields.every((name) => isWithin(name, values[name]))
    ? { windowMinutes: Number(values.windowMinutes), maxRequests: Number(values.maxRequests) }
    : undefined

export const valuesOf = ({ windowMinutes, maxRequests }: Limit): LimitValues => ({
  windowMinutes: String(windowMinutes),
  maxRequests: String(maxRequests),
})

/** The areas in the order of the page. */
export const areas: readonly LimitArea[] = ['web', 'apiV1']
