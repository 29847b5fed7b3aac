import { accountLimits } from '@parley/contracts'

/** The names that a provider may give for a user. */
export interface NameClaims {
  readonly preferred_username?: unknown
  readonly name?: unknown
  readonly email: string
}

const { usernameMin, usernameMax } = accountLimits
const fallback = 'user'

/** A valid username made of the first name that yields one; it need not be free. @param suffix makes it distinct from others */
export function usernameOf({ preferred_username, name, email }: NameClaims, suffix = ''): string {
  const made = [preferred_username, name, email].map(fromName).find(({ length }) => length >= usernameMin) ?? fallback
  if (suffix === '') return made
  return `${made.slice(0, usernameMax - suffix.length - 1)}-${suffix}`
}

/** Of an address only the part before the @: the domain of a user's mail is private. */
function fromName(name: unknown): string {
  if (typeof name !== 'string') return ''
  const plain = name
    .slice(0, 200)
    .replace(/@.*$/s, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
  return trimmed(trimmed(plain).slice(0, usernameMax))
}

const trimmed = (text: string): string => text.replace(/^-+|-+$/g, '')
