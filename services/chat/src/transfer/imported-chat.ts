/** A message of a file that is imported, as far as the file says it; nothing of it is trusted. */
export interface SourceMessage {
  readonly id: string
  readonly parentId: string | null
  /** Null for an entry that is no message of either side: it is skipped, and messages after it follow the one before it. */
  readonly said: {
    readonly role: 'user' | 'assistant'
    readonly content: string
    readonly reasoning?: string | undefined
    readonly model?: string | undefined
  } | null
  readonly at: Date | undefined
}

/** A chat of a file that is imported. */
export interface SourceChat {
  readonly id: string
  readonly title: string
  readonly model: string | undefined
  readonly createdAt: Date | undefined
  readonly updatedAt: Date | undefined
  readonly messages: readonly SourceMessage[]
  /** The last message of the version that was shown; null for the newest one. */
  readonly leafId: string | null
}

/** Reads one kind of file. Undefined when it is of another kind. */
export type ReadSource = (chat: Readonly<Record<string, unknown>>) => SourceChat | undefined

/** A value as an object; one without anything when it is none. */
export const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
/** A value as a list; an empty one when it is none. */
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
/** True for the sides whose messages count. */
export const isSide = (role: unknown): role is 'user' | 'assistant' => role === 'user' || role === 'assistant'
/** A value as text; undefined when it is none. */
export const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
/** A value as an id; undefined when it can be none. */
export const asId = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= 200 ? value : undefined

const [earliest, latest] = [Date.UTC(2000, 0, 1), Date.UTC(2100, 0, 1)]
/** A time as ISO text or as seconds since 1970; undefined when it is neither or no time that can be. */
export function asTime(value: unknown): Date | undefined {
  const ms = typeof value === 'number' ? value * 1000 : typeof value === 'string' ? Date.parse(value) : Number.NaN
  return ms >= earliest && ms <= latest ? new Date(Math.floor(ms)) : undefined
}
