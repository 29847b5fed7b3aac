import type { ShareBody } from '@parley/contracts'
import { maxChosenMessages } from '@parley/contracts/constants'

/** When a link expires: never, after a number of days, or at the end of a chosen day (`YYYY-MM-DD` in the owner's calendar). */
export type Expiry =
  | { readonly kind: 'never' }
  | { readonly kind: 'days'; readonly days: number }
  | { readonly kind: 'date'; readonly day: string }

export interface ShareOptions {
  readonly excluded: ReadonlySet<string>
  readonly includeImages: boolean
  readonly expiry: Expiry
  readonly hasPassword: boolean
  readonly password: string
  /** Private-looking texts that are shown nevertheless. */
  readonly allowed: ReadonlySet<string>
}

/** The defaults: private-looking texts are hidden until the owner allows them. */
export const firstOptions: ShareOptions = {
  excluded: new Set(),
  includeImages: true,
  expiry: { kind: 'never' },
  hasPassword: false,
  password: '',
  allowed: new Set(),
}

/** The options to begin with. An existing link that ends keeps its last day when it is updated. @param end of the link; null or undefined without one */
export function optionsFor(end: string | null | undefined, now: Date): ShareOptions {
  if (end == null || new Date(end) <= now) return firstOptions
  return { ...firstOptions, expiry: { kind: 'date', day: dayOf(new Date(Date.parse(end) - 1)) } }
}

/** The local day of a moment in the format of a date input. */
export const dayOf = (at: Date): string =>
  new Date(Date.UTC(at.getFullYear(), at.getMonth(), at.getDate())).toISOString().slice(0, 10)

/** What is wrong with the options; null if a link can be created. */
export function faultOf(options: ShareOptions, messageCount: number): 'day' | 'password' | 'none' | null {
  if (options.excluded.size >= messageCount) return 'none'
  if (options.expiry.kind === 'date' && options.expiry.day === '') return 'day'
  if (options.hasPassword && options.password.trim() === '') return 'password'
  return null
}

const dayMs = 24 * 60 * 60 * 1000

/** When a link expires; undefined for never. A chosen day is included. */
export function expiresAt(expiry: Expiry, now: Date): string | undefined {
  if (expiry.kind === 'never') return undefined
  if (expiry.kind === 'days') return new Date(now.getTime() + expiry.days * dayMs).toISOString()
  const [year = 0, month = 1, day = 1] = expiry.day.split('-').map(Number)
  return new Date(year, month - 1, day + 1).toISOString()
}

/**
 * The request body. It names the messages of the preview, as far as a link can name that many, so that one that came since is not published unseen.
 * @param found the private-looking texts in the whole chat
 */
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
    ...((chosen.length < ids.length || ids.length <= maxChosenMessages) && { messageIds: chosen }),
    ...(redact.length > 0 && { redact: [...new Set(redact)] }),
  }
}

/** A copy of the set with the value added or removed. */
export function toggled(set: ReadonlySet<string>, value: string, isIn: boolean): ReadonlySet<string> {
  const next = new Set(set)
  if (isIn) next.add(value)
  else next.delete(value)
  return next
}
