import { timingSafeEqual } from 'node:crypto'
import { type AuthKeys, keyedHash } from '../secrets.ts'

export type Cookies = ReturnType<typeof createCookies>

/**
 * Cookies as one deployment names and marks them: read from a `cookie` header, undefined when the browser sent none, and written as a `set-cookie` value.
 * All are HttpOnly, SameSite=Strict and sent to `/api/auth` only.
 * @param publicUrl https makes the cookies `Secure`; a port in it is part of their names, since browsers share cookies among ports
 */
export function createCookies(publicUrl: string) {
  const { protocol, port } = new URL(publicUrl)
  const attributes = `Path=/api/auth; HttpOnly; SameSite=Strict${protocol === 'https:' ? '; Secure' : ''}`
  const cookie = (purpose: string) => {
    const name = `parley_${purpose}${port === '' ? '' : `_${port}`}`
    const set = (value: string, maxAgeSeconds: number): string =>
      `${name}=${value}; Max-Age=${Math.max(0, Math.floor(maxAgeSeconds))}; ${attributes}`
    return { read: (header: string | undefined) => readCookie(header, name), set, clear: () => set('', 0) }
  }
  return {
    /** The refresh token. */
    refresh: cookie('refresh'),
    /** The browser may enter the code mailed for a registration. */
    pending: cookie('pending'),
    /** See `trustedDevice`. */
    browser: cookie('browser'),
    /** The browser that sign-ons were begun in, and may be ended in. */
    oauth: cookie('oauth'),
  }
}

function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim() || undefined
  }
  return undefined
}

/** The user of a trusted device; the password's hash is undefined for an account without one. */
export interface DeviceOwner {
  readonly userId: string
  readonly passwordHash: string | undefined
}

/**
 * The token of a browser in which the user's password was entered. It ends with the password: otherwise a person who knew a former
 * one would have as many budgets of attempts as browsers. @param browserId random; a budget of attempts is kept for it
 */
export const trustedDevice = (key: Buffer, browserId: string, { userId, passwordHash = '' }: DeviceOwner): string =>
  `${browserId}.${keyedHash(key, browserId, userId, passwordHash).toString('base64url')}`

/** The browser's id when the token is ours and of this user with this password. */
export function readTrustedDevice(keys: AuthKeys, token: string | undefined, owner: DeviceOwner): string | undefined {
  const [browserId] = (token ?? '').split('.')
  if (token === undefined || browserId === undefined) return undefined
  const given = Buffer.from(token)
  const isRight = keys.browser.some((key) => {
    const right = Buffer.from(trustedDevice(key, browserId, owner))
    return given.length === right.length && timingSafeEqual(given, right)
  })
  return isRight ? browserId : undefined
}
