import { domainToASCII } from 'node:url'

/** Two usernames with the same key are the same one. */
export const usernameKey = (username: string): string => username.normalize('NFKC').toLowerCase()

/** The address as it is kept and mailed to: lower case, in compatibility form. */
export const normalEmail = (email: string): string => email.trim().normalize('NFKC').toLowerCase()

/** Providers whose mailboxes ignore dots in the local part, and the domain under which both names are compared. */
const dotlessDomains: Readonly<Record<string, string>> = { 'gmail.com': 'gmail.com', 'googlemail.com': 'gmail.com' }

/** Two addresses with the same key reach the same mailbox. */
export function emailKey(email: string): string {
  const address = normalEmail(email)
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at)
  const domain = domainToASCII(address.slice(at + 1)) || address.slice(at + 1)
  const dotless = dotlessDomains[domain]
  return dotless === undefined ? `${local}@${domain}` : `${local.replaceAll('.', '')}@${dotless}`
}
