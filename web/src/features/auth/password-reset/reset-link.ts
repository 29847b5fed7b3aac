export interface ResetLink {
  readonly token: string
  readonly email: string
}

/** Parses the page's query: the link, `damaged` if a part is missing, or null without one. */
export function readResetLink(search: string): ResetLink | 'damaged' | null {
  const query = new URLSearchParams(search)
  if (!query.has('token') && !query.has('email')) return null
  const [token, email] = ['token', 'email'].map((name) => query.get(name)?.trim() ?? '')
  return token && email ? { token, email } : 'damaged'
}
