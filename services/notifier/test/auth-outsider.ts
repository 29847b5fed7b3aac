import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { authInternalRoutes } from '@parley/contracts'
import { identityHeader } from '@parley/kit'
import type { z } from 'zod'

type IssuedCode = z.input<NonNullable<typeof authInternalRoutes.issueCode.answer>>
export interface AuthOutsider {
  readonly url: string
  /** Codes issued so far, by verification. */
  readonly issued: { readonly id: string; readonly code: string }[]
  /** What it knows; others are 404. */
  readonly people: Map<string, { to: string; username: string; locale: IssuedCode['locale'] }>
  /** False makes it answer 503. */
  working: boolean
  close(): Promise<void>
}

/** Auth at its wire: a new code for every question about a verification it knows, and its changes of address. */
export async function startAuthOutsider(): Promise<AuthOutsider> {
  const answer = (method: string, url: string): [number, object?] => {
    const [, kind, id = ''] = /^\/internal\/(verifications|email-changes)\/([^/]+)/.exec(url) ?? []
    const person = auth.people.get(id)
    if (!auth.working) return [503]
    if (person === undefined) return [404, { error: 'Not found', code: 'not_found', requestId: 'r' }]
    if (kind === 'email-changes' && method === 'GET') return [200, { ...person, changedAt: '2030-01-01T12:00:00.000Z' }]
    const code = String(100_000 + auth.issued.length)
    auth.issued.push({ id, code })
    const body: IssuedCode = { ...person, code, expiresAt: new Date(Date.now() + 600_000).toISOString() }
    return [200, body]
  }
  const server = createServer((request, response) => {
    const known = request.headers[identityHeader] !== undefined
    const [status, body] = known ? answer(request.method ?? '', request.url ?? '') : [401]
    request.resume()
    response.writeHead(status, { 'content-type': 'application/json' }).end(body && JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const auth: AuthOutsider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    issued: [],
    people: new Map(),
    working: true,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return auth
}
