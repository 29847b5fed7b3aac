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
import { apiClient } from '@parley/testing'
import { answerQuestions } from '../process-channel.ts'

/** A kind of hostile body, and who sends it. */
export interface Attack {
  readonly kind: AttackKind
  readonly url: string
  readonly token: string
  /** For the routes of admins. */
  readonly adminToken: string
}
export type AttackKind = keyof typeof kinds

interface Kind {
  readonly routes: readonly Route[]
  readonly bodyOf: (route: Route) => string | Buffer
  readonly headers?: Readonly<Record<string, string>>
  /** What every route has to answer. */
  readonly status: number
}

const imported = largeImport()
const kinds = {
  packed: { routes: routesOfPeople, bodyOf: () => packedBody, headers: { 'content-encoding': 'gzip' }, status: 415 },
  deep: { routes: routesWithBody, bodyOf: deepBody, status: 400 },
  wide: { routes: routesWithBody, bodyOf: wideBody, status: 400 },
  import: { routes: [chatRoutes.importChats], bodyOf: () => imported, status: 200 },
} satisfies Record<string, Kind>

/** Sends one to every route that takes such, one after the other. @throws Error when one is not answered as it has to be */
async function attack({ kind, url, token, adminToken }: Attack): Promise<void> {
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

answerQuestions({ attack })
