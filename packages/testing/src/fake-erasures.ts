import type { ServiceName } from '@parley/contracts'
import { createServiceClient, type IdentityCodec, type ServiceClient } from '@parley/kit'
import { answerJson, startFakeOutsider } from './fake-outsider.ts'

/** Auth at its wire, as far as services tell it that they have erased a user. */
export interface FakeErasures {
  /** The service's own client, which finds nothing but this. */
  readonly client: ServiceClient
  /** What was told: `<service> <erasure id>`, in order. */
  readonly told: readonly string[]
  /** True makes it answer 503. */
  away: boolean
  close(): Promise<void>
}

/** Starts it on a free port, for one service. */
export async function startFakeErasures(self: ServiceName, identity: IdentityCodec): Promise<FakeErasures> {
  const told: string[] = []
  const server = await startFakeOutsider(({ path, body }, response) => {
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
    client,
    told,
    away: false,
    async close() {
      await client.close()
      await server.close()
    },
  }
  return fake
}
