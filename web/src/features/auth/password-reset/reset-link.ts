/** What a mailed link for a new password carries. */
export interface ResetLink {
  readonly token: string
  readonly email: string
}

/** Reads the query of the page: the link, `damaged` where a part of it is missing, or null when there is none. */
export function readResetLink(search: string): ResetLink | 'damaged' | null {
  const query = new URLSearchParams(search)
  if (!query.has('token') && !query.has('email')) return null
  const [token, email] = ['token', 'email'].map((name) => query.get(name)?.trim() ?? '')
  return token && email ? { token, email } : 'damaged'
}
