import { authInternalRoutes, type ServiceName } from '@parley/contracts'
import { createServiceClient, type IdentityCodec, type ServiceClient } from '@parley/kit'
import { answerJson, startFakeOutsider } from './fake-outsider.ts'

/** An HTTP fake of auth's routes for acknowledging erasures and reading names. */
export interface FakeErasures {
  readonly url: string
  /** The service's client, which only reaches this fake. */
  readonly client: ServiceClient
  /** Acknowledgements: `<service> <erasure id>`, in order. */
  readonly told: readonly string[]
  /** Names of users, by id. */
  readonly usernames: Map<string, string>
  /** While true it answers 503. */
  away: boolean
  close(): Promise<void>
}

/** Starts the fake on a free port, for one service. */
export async function startFakeErasures(self: ServiceName, identity: IdentityCodec): Promise<FakeErasures> {
  const told: string[] = []
  const server = await startFakeOutsider(({ path, body }, response) => {
    if (!fake.away && path === authInternalRoutes.usernames.path) {
      const { userIds, query, among } = JSON.parse(body) as { userIds: string[]; query?: string; among?: string[] }
      const known = [...fake.usernames].map(([userId, username]) => ({ userId, username }))
      const searched = among ? known.filter(({ userId }) => among.includes(userId)) : known
      const matches = searched.filter(({ username }) => query && username.toLowerCase().includes(query.toLowerCase()))
      const users = known.filter(({ userId }) => userIds.includes(userId))
      // Like auth: only the newest, unless the search is restricted to given users.
      const told = among ? matches : matches.slice(-200)
      answerJson(response, { users, matches: told.map(({ userId }) => userId) })
      return
    }
    const [, erasureId] = /^\/internal\/erasures\/([^/]+)\/acknowledgements$/.exec(path) ?? []
    if (fake.away || erasureId === undefined) {
      answerJson(response, { error: 'Away', code: 'unavailable', requestId: 'request' }, 503)
      return
    }
    told.push(`${(JSON.parse(body) as { service: string }).service} ${erasureId}`)
    response.writeHead(204).end()
  })
  const client = createServiceClient({ self, locate: () => server.url, identity })
  const fake: FakeErasures = {
    url: server.url,
    client,
    told,
    usernames: new Map(),
    away: false,
    async close() {
      await client.close()
      await server.close()
    },
  }
  return fake
}
