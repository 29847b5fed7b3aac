import { accountLimits } from '@parley/contracts'

/** What a provider may call somebody. */
export interface NameClaims {
  readonly preferred_username?: unknown
  readonly name?: unknown
  readonly email: string
}

const { usernameMin, usernameMax } = accountLimits
const fallback = 'user'

/** A valid username after the first of the names that yields one; nobody may have it yet. @param suffix told apart from others by it */
export function usernameOf({ preferred_username, name, email }: NameClaims, suffix = ''): string {
  const made = [preferred_username, name, email].map(fromName).find(({ length }) => length >= usernameMin) ?? fallback
  if (suffix === '') return made
  return `${made.slice(0, usernameMax - suffix.length - 1)}-${suffix}`
}

/** Of an address only what stands before the @: where somebody has their mail is not for everybody. */
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
