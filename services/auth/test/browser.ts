import { authInternalRoutes, authRoutes, type Principal, type User } from '@parley/contracts'
import { newId } from '@parley/kit'
import { type ApiAnswer, guestPrincipal, type RouteOptions, servicePrincipal } from '@parley/testing'
import { decodeJwt } from 'jose'
import type { RunningAuth } from './running-auth.ts'

type AuthRoute = (typeof authRoutes)[keyof typeof authRoutes]
export interface TokenAnswer {
  readonly token: string
  readonly user: User
  readonly emailVerificationRequired?: boolean
}
export type Browser = ReturnType<typeof openBrowser>
type Auth = Pick<RunningAuth, 'api'>

/** What the gateway makes of an access token. */
export async function principalOf(auth: Auth, token: string, network = '4:192.0.2.9'): Promise<Principal> {
  const { sub: userId = '', sid } = decodeJwt(token)
  const sessionId = String(sid)
  const asked = await auth.api
    .as(servicePrincipal('gateway'))
    .call(authInternalRoutes.principal, { params: { userId, sessionId } })
  if (!asked.body.active) return guestPrincipal({ network })
  return { kind: 'user', userId, sessionId, rights: asked.body.rights, network }
}

/** A browser behind the gateway: it keeps cookies and sends the token it was given. */
export function openBrowser(auth: Auth, network = `4:${newId()}`) {
  const cookies = new Map<string, string>()
  let token: string | undefined
  const principal = async (): Promise<Principal> =>
    token === undefined ? guestPrincipal({ network }) : await principalOf(auth, token, network)
  const keep = (answer: ApiAnswer): void => {
    const set = answer.headers['set-cookie'] ?? []
    for (const line of Array.isArray(set) ? set : [set]) {
      const [pair = ''] = line.split(';')
      const [name = '', value = ''] = pair.split('=')
      if (/Max-Age=0(;|$)/.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    const body = answer.body as { token?: string } | undefined
    if (answer.status < 300 && body?.token !== undefined) token = body.token
  }
  return {
    cookies,
    principal,
    token: () => token,
    useToken(other: string | undefined) {
      token = other
    },
    async call<R extends AuthRoute>(route: R, body?: unknown, options: RouteOptions<R> = {}) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const headers = { 'user-agent': 'test browser', ...(cookie && { cookie }), ...options.headers }
      const answer = await auth.api
        .as(await principal())
        .call(route, { ...options, headers, ...(body !== undefined && { body }) } as RouteOptions<R>)
      keep(answer)
      return answer
    },
    /** The cookie of that purpose. */
    cookie: (purpose: string): string | undefined =>
      [...cookies].find(([name]) => name.startsWith(`parley_${purpose}`))?.[1],
    /** Another browser that stole these cookies. */
    copy() {
      const other = openBrowser(auth, network)
      for (const [name, value] of cookies) other.cookies.set(name, value)
      return other
    },
  }
}

export const goodPassword = 'correct horse battery staple'
/** What a visitor chooses when the test does not care. */
export function chosen(parts: { username?: string; email?: string; password?: string } = {}) {
  const name = `user-${newId().slice(0, 12)}`
  return { username: name, email: `${name}@example.test`, password: goodPassword, ...parts }
}

/** The code that notifier would mail for the user's open verification. */
export async function fetchCode(auth: RunningAuth, username: string): Promise<string> {
  const [open] = await auth.sql<{ id: string }>(
    'select v.id from verifications v join users u on u.id = v.user_id where username_key = $1 and closed_at is null',
    [username.toLowerCase()],
  )
  const issued = await auth.api
    .as(servicePrincipal('notifier'))
    .call(authInternalRoutes.issueCode, { params: { id: open?.id ?? 'none' } })
  if (issued.status !== 200) throw new Error(`no code for ${username}: ${issued.text}`)
  return issued.body.code
}

/** A code that is surely wrong. */
export const otherCode = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

/** A registered user whose address is not confirmed yet, with their browser. */
export async function givenRegistration(auth: RunningAuth) {
  const browser = openBrowser(auth)
  const choice = chosen()
  await browser.call(authRoutes.register, choice)
  const [user] = await auth.sql<{ id: string }>('select id from users where username = $1', [choice.username])
  return { browser, id: user?.id ?? '', ...choice }
}

/** A registered, confirmed and signed-in user in a browser of their own. */
export async function givenUser(auth: RunningAuth, parts: Parameters<typeof chosen>[0] = {}) {
  const browser = openBrowser(auth)
  const choice = chosen(parts)
  const registered = await browser.call(authRoutes.register, choice)
  if (registered.status !== 201) throw new Error(`not registered: ${registered.text}`)
  const code = await fetchCode(auth, choice.username)
  const confirmed = await browser.call(authRoutes.verifyEmail, { username: choice.username, code })
  if (confirmed.status !== 200) throw new Error(`not confirmed: ${confirmed.text}`)
  return { ...choice, browser, user: (confirmed.body as TokenAnswer).user }
}

/** The super admin, signed in. */
export async function givenSuperAdmin(auth: RunningAuth, password: string) {
  const browser = openBrowser(auth)
  const answer = await browser.call(authRoutes.login, { identifier: 'root', password })
  if (answer.status !== 200) throw new Error(`the admin cannot sign in: ${answer.text}`)
  return { browser, user: (answer.body as TokenAnswer).user }
}
