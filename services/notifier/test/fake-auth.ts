import { json } from 'node:stream/consumers'
import type { authInternalRoutes, Locale, Route } from '@parley/contracts'
import { identityHeader } from '@parley/kit'
import { createExportBox, type ExportBox, startTestServer } from '@parley/testing'
import type { z } from 'zod'

type AnswerOf<R extends Route> = z.input<NonNullable<R['answer']>>
type Answers = AnswerOf<(typeof authInternalRoutes)[keyof typeof authInternalRoutes] & Route>
type Person = { to: string; username: string; locale: Locale }
export interface FakeAuth {
  readonly url: string
  /** Codes and tokens issued so far, with the id of their subject. */
  readonly issued: { readonly id: string; readonly secret: string }[]
  /** Recipients by the id of a verification, reset, export, erasure, change of address, or user; others are 404. */
  readonly users: Map<string, Person>
  /** Contributions to data exports. */
  readonly exports: ExportBox
  /** Acknowledged erasures. */
  readonly erased: string[]
  /** False makes it answer 503. */
  working: boolean
  close(): Promise<void>
}

export const happenedAt = '2030-01-15T12:00:00.000Z'
const inMinutes = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString()

/** An HTTP fake of auth, which issues a new code or token per request and names the recipient. */
export async function startFakeAuth(): Promise<FakeAuth> {
  const issue = (id: string, secret: string): string => {
    auth.issued.push({ id, secret })
    return secret
  }
  const nth = (): number => auth.issued.length
  const answers: Readonly<Record<string, (id: string, person: Person) => Answers>> = {
    'POST verifications code': (id, person) =>
      ({ ...person, code: issue(id, String(100_000 + nth())), expiresAt: inMinutes(10) }) satisfies AnswerOf<
        typeof authInternalRoutes.issueCode
      >,
    'POST password-resets token': (id, person) =>
      ({ ...person, token: issue(id, `reset+token/${nth()}=`), expiresAt: inMinutes(30) }) satisfies AnswerOf<
        typeof authInternalRoutes.issuePasswordReset
      >,
    'POST data-exports token': (id, person) =>
      ({ ...person, token: issue(id, `export+token/${nth()}=`), expiresAt: happenedAt }) satisfies AnswerOf<
        typeof authInternalRoutes.issueDataExportLink
      >,
    'GET users recipient': (_id, person) => person satisfies AnswerOf<typeof authInternalRoutes.recipient>,
    'GET erasures': (_id, person) =>
      ({ ...person, erasedAt: happenedAt }) satisfies AnswerOf<typeof authInternalRoutes.erasure>,
    'GET email-changes': (_id, person) =>
      ({ ...person, changedAt: happenedAt }) satisfies AnswerOf<typeof authInternalRoutes.emailChange>,
  }
  const answer = (method: string, url: string): [number, object?] => {
    const [, , kind, id = '', what] = url.split('/')
    const person = auth.users.get(id)
    const write = answers[[method, kind, what].filter(Boolean).join(' ')]
    if (!auth.working) return [503]
    if (person === undefined || write === undefined)
      return [404, { error: 'Not found', code: 'not_found', requestId: 'r' }]
    return [200, write(id, person)]
  }
  const server = await startTestServer((request, response) => {
    if (request.url?.endsWith('/contributions')) {
      const path = request.url
      void json(request).then((body) => response.writeHead(auth.exports.take(path, body)).end())
      return
    }
    const [, erasureId] = /^\/internal\/erasures\/([^/]+)\/acknowledgements$/.exec(request.url ?? '') ?? []
    if (erasureId !== undefined) {
      auth.erased.push(erasureId)
      response.writeHead(204).end()
      return
    }
    const known = request.headers[identityHeader] !== undefined
    const [status, body] = known ? answer(request.method ?? '', request.url ?? '') : [401]
    request.resume()
    response.writeHead(status, { 'content-type': 'application/json' }).end(body && JSON.stringify(body))
  })
  const auth: FakeAuth = {
    url: server.url,
    issued: [],
    users: new Map(),
    erased: [],
    exports: createExportBox(),
    working: true,
    close: server.close,
  }
  return auth
}
