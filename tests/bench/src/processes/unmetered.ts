import { services } from '@parley/all-in-one/services'
import { billingInternalRoutes, type Route } from '@parley/contracts'
import type { ServiceDefinition } from '@parley/kit'

// Preloaded into Parley's process: requests of programs are authenticated, limited and answered as usual, but not held,
// settled or recorded. The product deliberately has no such switch.
type Deps = Parameters<ServiceDefinition['create']>[0]

const { hold, holdSeveral, renewHold, settleHolds } = billingInternalRoutes
const answers = new Map<Route, unknown>([
  [hold, { remaining: 1 }],
  [renewHold, undefined],
  [settleHolds, undefined],
])

const resultsOf = ({ holds }: { readonly holds: readonly unknown[] }) => ({
  results: holds.map(() => ({ remaining: 1 })),
})

const router = services['llm-router']
const { create } = router
Object.assign(router, {
  create({ client, engines, ...deps }: Deps) {
    const call: typeof client.call = async (route, options) => {
      if ((route as Route) === holdSeveral) return resultsOf(options?.body as never) as never
      return answers.has(route) ? (answers.get(route) as never) : client.call(route, options)
    }
    const stores = engines.stores as Deps['engines'][string] & { readonly requests: object }
    const requests = { ...stores.requests, recordFinished: async () => undefined }
    return create({
      ...deps,
      client: { ...client, call },
      engines: { ...engines, stores: { ...stores, requests } },
    } as Deps)
  },
})
