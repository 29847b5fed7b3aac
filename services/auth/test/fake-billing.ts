import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { billingInternalRoutes } from '@parley/contracts'
import { identityHeader } from '@parley/kit'

export interface FakeBilling {
  readonly url: string
  /** False makes it answer 500. */
  working: boolean
  close(): Promise<void>
}

/** Billing at its wire: one plan and a hundred credits for whoever is asked about. */
export async function startFakeBilling(): Promise<FakeBilling> {
  const accounts = billingInternalRoutes.accounts
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const known = request.url === accounts.path && request.headers[identityHeader] !== undefined
    if (!billing.working || !known) {
      response.writeHead(500).end()
      return
    }
    const { userIds } = accounts.body?.parse(JSON.parse(Buffer.concat(chunks).toString())) ?? { userIds: [] }
    const credits = { remaining: 100, monthly: 100, resetDate: '2030-01-01T00:00:00.000Z' }
    const answer = { accounts: userIds.map((userId) => ({ userId, plan: { id: 'free', name: 'Free' }, credits })) }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const billing: FakeBilling = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    working: true,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return billing
}
