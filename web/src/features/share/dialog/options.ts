import type { ShareBody } from '@parley/contracts'

/** When a link ends: never, after so many days, or with the day that was chosen (`YYYY-MM-DD`, of the owner's calendar). */
export type Expiry =
  | { readonly kind: 'never' }
  | { readonly kind: 'days'; readonly days: number }
  | { readonly kind: 'date'; readonly day: string }

/** What the owner of a chat has chosen for its link. */
export interface ShareOptions {
  /** Ids of messages that are left out. */
  readonly excluded: ReadonlySet<string>
  readonly includeImages: boolean
  readonly expiry: Expiry
  readonly hasPassword: boolean
  readonly password: string
  /** Texts of what may be private that are shown all the same. */
  readonly allowed: ReadonlySet<string>
}

/** Private texts are hidden until their owner allows them. */
export const firstOptions: ShareOptions = {
  excluded: new Set(),
  includeImages: true,
  expiry: { kind: 'never' },
  hasPassword: false,
  password: '',
  allowed: new Set(),
}

/** What is wrong with the options; null when a link can be made. */
export function faultOf(options: ShareOptions, messageCount: number): 'day' | 'password' | 'none' | null {
  if (options.excluded.size >= messageCount) return 'none'
  if (options.expiry.kind === 'date' && options.expiry.day === '') return 'day'
  if (options.hasPassword && options.password.trim() === '') return 'password'
  return null
}

const dayMs = 24 * 60 * 60 * 1000

/** The moment at which a link ends; undefined for never. A chosen day is still good to its end. */
export function expiresAt(expiry: Expiry, now: Date): string | undefined {
  if (expiry.kind === 'never') return undefined
  if (expiry.kind === 'days') return new Date(now.getTime() + expiry.days * dayMs).toISOString()
  const [year = 0, month = 1, day = 1] = expiry.day.split('-').map(Number)
  return new Date(year, month - 1, day + 1).toISOString()
}

/** What is asked of the server: with `found` of the whole chat, what of it is hidden. */
export function bodyOf(
  chatId: string,
  options: ShareOptions,
  { ids, found }: { readonly ids: readonly string[]; readonly found: readonly string[] },
): ShareBody {
  const chosen = ids.filter((id) => !options.excluded.has(id))
  const redact = found.filter((text) => !options.allowed.has(text))
  return {
    chatId,
    includeImages: options.includeImages,
    ...(chosen.length < ids.length && { messageIds: chosen }),
    ...(redact.length > 0 && { redact: [...new Set(redact)] }),
  }
}

/** The set with the value in it or without it. */
export function toggled(set: ReadonlySet<string>, value: string, isIn: boolean): ReadonlySet<string> {
  const next = new Set(set)
  if (isIn) next.add(value)
  else next.delete(value)
  return next
}
