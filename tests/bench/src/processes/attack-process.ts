import type { Route } from '@parley/contracts'
import { chatRoutes } from '@parley/contracts'
import {
  addressOf,
  deepBody,
  largeImport,
  nameOf,
  packedBody,
  routesOfPeople,
  routesWithBody,
  wideBody,
} from '@parley/security-tests/hostile-body'
import { beginSlowRequest, readRawAnswer } from '@parley/security-tests/slow-request'
import { apiClient } from '@parley/testing'
import { answerQuestions } from '../process-channel.ts'

/** A kind of hostile body, with its sender. */
export interface Attack {
  readonly kind: AttackKind
  readonly url: string
  readonly token: string
  /** For admin routes. */
  readonly adminToken: string
}
export type AttackKind = keyof typeof kinds | 'slow'

interface Kind {
  readonly routes: readonly Route[]
  readonly bodyOf: (route: Route) => string | Buffer
  readonly headers?: Readonly<Record<string, string>>
  /** The expected status of every route. */
  readonly status: number
}

const imported = largeImport()
const kinds = {
  packed: { routes: routesOfPeople, bodyOf: () => packedBody, headers: { 'content-encoding': 'gzip' }, status: 415 },
  deep: { routes: routesWithBody, bodyOf: deepBody, status: 400 },
  wide: { routes: routesWithBody, bodyOf: wideBody, status: 400 },
  import: { routes: [chatRoutes.importChats], bodyOf: () => imported, status: 200 },
} satisfies Record<string, Kind>

/** Sends the body to every matching route, in sequence, but slow bodies all at once. @throws Error when a response is not as expected */
async function attack(given: Attack): Promise<void> {
  const { kind, url, token, adminToken } = given
  if (kind === 'slow') return await stall(given)
  const { routes, bodyOf, headers, status }: Kind = kinds[kind]
  const client = apiClient(url)
  for (const route of routes) {
    const authorization = `Bearer ${route.access === 'admin' ? adminToken : token}`
    const options = { raw: bodyOf(route), headers: { 'content-type': 'application/json', ...headers, authorization } }
    const answer = await client.send(route.method, addressOf(route), options)
    if (answer.status !== status) throw new Error(`${kind}, ${nameOf(route)}: ${answer.status} ${answer.text}`)
  }
  await client.close()
}

/** Number of bodies per route whose rest never arrives. */
const slowPerRoute = 4

async function stall({ kind, url, token, adminToken }: Attack): Promise<void> {
  const sent = routesWithBody.flatMap((route) => Array.from({ length: slowPerRoute }, () => route))
  const answers = await Promise.all(
    sent.map(async (route) => {
      const authorization = `Bearer ${route.access === 'admin' ? adminToken : token}`
      const headers = { 'content-type': 'application/json', authorization }
      const slow = await beginSlowRequest(url, { method: route.method, path: addressOf(route), headers, length: 1_000 })
      return { route, ...readRawAnswer(await slow.answer) }
    }),
  )
  for (const { route, status, body } of answers) {
    if (status !== 408) throw new Error(`${kind}, ${nameOf(route)}: ${status} ${JSON.stringify(body)}`)
  }
}

answerQuestions({ attack })
