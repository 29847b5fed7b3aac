import { authInternalRoutes, type ServiceName } from '@parley/contracts'
import { createServiceClient, type IdentityCodec, type ServiceClient } from '@parley/kit'
import { answerJson, startFakeOutsider } from './fake-outsider.ts'

/** Auth at its wire, as far as services tell it that they have erased a user, and ask it for names. */
export interface FakeErasures {
  readonly url: string
  /** The service's own client, which finds nothing but this. */
  readonly client: ServiceClient
  /** What was told: `<service> <erasure id>`, in order. */
  readonly told: readonly string[]
  /** Names of users, by id. */
  readonly usernames: Map<string, string>
  /** True makes it answer 503. */
  away: boolean
  close(): Promise<void>
}

/** Starts it on a free port, for one service. */
export async function startFakeErasures(self: ServiceName, identity: IdentityCodec): Promise<FakeErasures> {
  const told: string[] = []
  const server = await startFakeOutsider(({ path, body }, response) => {
    if (!fake.away && path === authInternalRoutes.usernames.path) {
      const { userIds, query, among } = JSON.parse(body) as { userIds: string[]; query?: string; among?: string[] }
      const known = [...fake.usernames].map(([userId, username]) => ({ userId, username }))
      const searched = among ? known.filter(({ userId }) => among.includes(userId)) : known
      const matches = searched.filter(({ username }) => query && username.toLowerCase().includes(query.toLowerCase()))
      const users = known.filter(({ userId }) => userIds.includes(userId))
      // As auth does: the newest alone, unless it was told whom to look at.
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
