/** The parameters that a browser returns with. */
export interface BroughtBack {
  readonly code?: string
  readonly state?: string
  readonly iss?: string
  readonly error?: string
}

const mostSteps = 10

/**
 * Follows the redirects of a sign-on, as a browser with its own cookies, until they leave the provider.
 * @param sub the login hint; without it the provider decides
 * @throws Error if it shows a page instead
 */
export async function followSignOn(start: string, issuer: string, sub?: string): Promise<BroughtBack> {
  const cookies = new Map<string, string>()
  let url = new URL(start)
  if (sub !== undefined) url.searchParams.set('login_hint', sub)
  for (let step = 0; step < mostSteps; step += 1) {
    if (url.origin !== new URL(issuer).origin) return Object.fromEntries(url.searchParams)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { redirect: 'manual', headers: cookie ? { cookie } : {} })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = answer.headers.get('location')
    if (location === null) throw new Error(`the provider answered ${answer.status}: ${await answer.text()}`)
    await answer.body?.cancel()
    url = new URL(location, url)
  }
  throw new Error('the sign-on redirects endlessly')
}
