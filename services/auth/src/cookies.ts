import { timingSafeEqual } from 'node:crypto'
import { type AuthKeys, keyedHash } from './secrets.ts'

/** Cookies as one deployment names and marks them. All are HttpOnly, SameSite=Strict and sent to `/api/auth` only. */
export interface Cookies {
  /** The refresh token. */
  readonly refresh: Cookie
  /** The browser may enter the code mailed for a registration. */
  readonly pending: Cookie
  /** The browser signed in before; see `trustedDevice`. */
  readonly browser: Cookie
  /** The browser that sign-ons were begun in, and may be ended in. */
  readonly oauth: Cookie
}
/** One cookie: read from a `cookie` header, written as a `set-cookie` value. */
export interface Cookie {
  /** Undefined when the browser sent none. */
  read(header: string | undefined): string | undefined
  /** A `set-cookie` value. */
  set(value: string, maxAgeSeconds: number): string
  clear(): string
}

/** @param publicUrl https makes the cookies `Secure`; a port in it is part of their names, since browsers share cookies among ports */
export function createCookies(publicUrl: string): Cookies {
  const { protocol, port } = new URL(publicUrl)
  const attributes = `Path=/api/auth; HttpOnly; SameSite=Strict${protocol === 'https:' ? '; Secure' : ''}`
  const cookie = (purpose: string): Cookie => {
    const name = `parley_${purpose}${port === '' ? '' : `_${port}`}`
    const set = (value: string, maxAgeSeconds: number): string =>
      `${name}=${value}; Max-Age=${Math.max(0, Math.floor(maxAgeSeconds))}; ${attributes}`
    return { read: (header) => readCookie(header, name), set, clear: () => set('', 0) }
  }
  return { refresh: cookie('refresh'), pending: cookie('pending'), browser: cookie('browser'), oauth: cookie('oauth') }
}

function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim() || undefined
  }
  return undefined
}

/** Whose browser it is; the password's hash is undefined for an account without one. */
export interface BrowserOwner {
  readonly userId: string
  readonly passwordHash: string | undefined
}

/**
 * The note that somebody who knew the user's password used this browser. It ends with the password, lest a former
 * knower has as many budgets of tries as browsers. @param browserId random; a budget of tries is kept for it
 */
export const trustedDevice = (keys: AuthKeys, browserId: string, { userId, passwordHash = '' }: BrowserOwner): string =>
  `${browserId}.${keyedHash(keys.browser, browserId, userId, passwordHash).toString('base64url')}`

/** The browser's id when the note is ours and about this user with this password. */
export function readTrustedDevice(keys: AuthKeys, note: string | undefined, owner: BrowserOwner): string | undefined {
  const [browserId] = (note ?? '').split('.')
  if (note === undefined || browserId === undefined) return undefined
  const [given, right] = [Buffer.from(note), Buffer.from(trustedDevice(keys, browserId, owner))]
  return given.length === right.length && timingSafeEqual(given, right) ? browserId : undefined
}
