import { text } from 'node:stream/consumers'
import { billingInternalRoutes } from '@parley/contracts'
import { identityHeader } from '@parley/kit'
import { answerJson, startTestServer } from '@parley/testing'

export interface FakeBilling {
  readonly url: string
  /** False makes it answer 500. */
  working: boolean
  /** Plans of users who are not on `free`. */
  readonly plans: Map<string, string>
  /** What plans and keys are called. */
  readonly names: Map<string, string>
  /** How often names were asked for. */
  askedForNames: number
  close(): Promise<void>
}

/** Billing at its wire: a hundred credits for every user asked about, the plan `free`, which has many users, unless told, and the same totals for all. */
export async function startFakeBilling(): Promise<FakeBilling> {
  const accounts = billingInternalRoutes.accounts
  const server = await startTestServer(async (request, response) => {
    const body = await text(request)
    const answered = (answer: object): void => answerJson(response, answer)
    const url = request.url ?? ''
    const planOf = (userId: string) => {
      const id = billing.plans.get(userId)
      return id === undefined ? { id: 'free', name: 'Free' } : { id, name: id }
    }
    if (!billing.working || request.headers[identityHeader] === undefined) {
      response.writeHead(500).end()
      return
    }
    const plan = /^\/internal\/plans\/([^/]+)\/users$/.exec(url)?.[1]
    if (plan !== undefined) {
      const userIds = [...billing.plans].flatMap(([id, on]) => (on === plan ? [id] : []))
      return answered({ userIds: plan === 'free' ? null : userIds })
    }
    if (url.endsWith('/totals')) {
      return answered({ keys: 3, usage: { requests: 5, inputTokens: 6, outputTokens: 7, credits: 8 } })
    }
    if (url === billingInternalRoutes.names.path) {
      const { planIds = [], keyIds = [] } = billingInternalRoutes.names.body?.parse(JSON.parse(body)) ?? {}
      billing.askedForNames += 1
      const known = [...planIds, ...keyIds].flatMap((id) => {
        const name = billing.names.get(id)
        return name === undefined ? [] : [[id, name]]
      })
      return answered({ names: Object.fromEntries(known) })
    }
    const among = /^\/internal\/plans\/([^/]+)\/members$/.exec(url)?.[1]
    if (among !== undefined) {
      const { userIds } = billingInternalRoutes.planMembers.body?.parse(JSON.parse(body)) ?? { userIds: [] }
      return answered({ userIds: userIds.filter((id) => planOf(id).id === among) })
    }
    if (url !== accounts.path) {
      response.writeHead(500).end()
      return
    }
    const { userIds } = accounts.body?.parse(JSON.parse(body)) ?? { userIds: [] }
    const credits = { remaining: 100, monthly: 100, resetDate: '2030-01-01T00:00:00.000Z' }
    answered({ accounts: userIds.map((userId) => ({ userId, plan: planOf(userId), credits })) })
  })
  const billing: FakeBilling = {
    url: server.url,
    working: true,
    plans: new Map(),
    names: new Map(),
    askedForNames: 0,
    close: server.close,
  }
  return billing
}
