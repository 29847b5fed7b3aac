import type { LimitArea } from '@parley/contracts'

/** A limit as it is typed. */
export interface LimitValues {
  readonly windowMinutes: string
  readonly maxRequests: string
}

/** A limit as the settings have it. */
export type Limit = { readonly [Name in keyof LimitValues]: number }

/** What may be entered. */
export const limitBounds = { windowMinutes: [1, 1_440], maxRequests: [1, 1_000_000] } as const

/** The names of a limit's fields. */
export const limitFields = ['windowMinutes', 'maxRequests'] as const

/** Whether what is typed may be saved. */
export function isWithin(name: keyof LimitValues, text: string): boolean {
  const [least, most] = limitBounds[name]
  const value = text.trim() === '' ? Number.NaN : Number(text)
  return Number.isInteger(value) && value >= least && value <= most
}

/** The limit that was typed; undefined while a field of it may not be saved. */
export const limitOf = (values: LimitValues): Limit | undefined =>
  limitFields.every((name) => isWithin(name, values[name]))
    ? { windowMinutes: Number(values.windowMinutes), maxRequests: Number(values.maxRequests) }
    : undefined

/** A limit as its fields show it. */
export const valuesOf = ({ windowMinutes, maxRequests }: Limit): LimitValues => ({
  windowMinutes: String(windowMinutes),
  maxRequests: String(maxRequests),
})

/** The areas in the order in which they are shown. */
export const areas: readonly LimitArea[] = ['web', 'apiV1']
