import {
  billingInternalRoutes,
  defaultSettings,
  type EventOf,
  type KeyPrincipal,
  type Settings,
} from '@parley/contracts'
import {
  answerJson,
  createExportBox,
  type ExportBox,
  type FakeOutsider,
  startFakeOutsider,
  waitUntil,
} from '@parley/testing'
import { type GivenRouter, givenRouter } from './given-router.ts'

type Finished = EventOf<'llm-router.request-finished'>['data']
type Hold = NonNullable<(typeof billingInternalRoutes.hold)['body']>['_output'] & { settled?: number; renewed: number }

/** A fake billing, with the calls that hold and settle a request's price. */
interface FakeBilling {
  /** By generation. */
  readonly holds: Map<string, Hold>
  /** The credits that an account can spend. */
  balance: number
  /** Makes every response a 503. */
  isAway: boolean
  /** Refuses holds with this response. */
  refusal: { status: number; code: string; headers?: Record<string, string> } | undefined
}

/** A running router with the public API. */
export interface GivenApi extends GivenRouter {
  readonly billing: FakeBilling
  readonly settings: Settings
  readonly exports: ExportBox
  /** Requests that have ended, as published on the bus. */
  readonly finished: readonly Finished[]
  /** The end of a key's first request. */
  ended(key: KeyPrincipal): Promise<Finished>
}

/** Starts it, with a model of each dialect: `gpt` (5 credits) and `claude` (10 credits). */
export async function givenApi(options: Parameters<typeof givenRouter>[0] = {}): Promise<GivenApi> {
  const settings = structuredClone(defaultSettings)
  settings.rateLimits.apiV1 = { windowMinutes: 60, maxRequests: 1_000_000 }
  const billing: FakeBilling = { holds: new Map(), balance: 1_000, isAway: false, refusal: undefined }
  const exports = createExportBox()
  const [auth, bank] = await Promise.all([startFakeAuth(settings, exports), startFakeBilling(billing)])
  let router: GivenRouter | undefined
  const locate = (service: string): string | undefined => (service === 'billing' ? bank.url : auth.url)
  router = await givenRouter({ locate, ...options })
  const finished: Finished[] = []
  const unsubscribe = await router.bus.subscribe({
    group: 'test.finished',
    handlers: { 'llm-router.request-finished': async ({ data }) => void finished.push(data) },
  })
  await router.model({
    id: 'gpt',
    provider: 'openai',
    apiModelName: 'gpt-real',
    creditsPerMessage: 5,
    supportsTools: true,
  })
  await router.model({
    ...{ id: 'claude', provider: 'anthropic', sdkType: 'anthropic-sdk', apiModelName: 'claude-real' },
    ...{ creditsPerMessage: 10, supportsTools: true, supportsImageAttachments: true, supportsFileAttachments: true },
  })
  return {
    ...router,
    billing,
    settings,
    exports,
    finished,
    ended: ({ keyId }) =>
      waitUntil(() => finished.find((end) => end.keyId === keyId), `the end of a request of ${keyId}`),
    async stop() {
      await unsubscribe()
      await router.stop()
      await Promise.all([auth.close(), bank.close()])
    },
  }
}

const startFakeAuth = (settings: Settings, exports: ExportBox): Promise<FakeOutsider> =>
  startFakeOutsider(({ path, body }, response) => {
    if (path.startsWith('/internal/data-exports/')) {
      response.writeHead(exports.take(path, JSON.parse(body))).end()
      return
    }
    answerJson(response, { version: 1, settings: { ...settings, registrationEnabled: true } })
  })

function startFakeBilling(billing: FakeBilling): Promise<FakeOutsider> {
  const keep = (hold: Hold) => {
    billing.holds.set(hold.generationId, { ...hold, renewed: 0 })
    billing.balance -= hold.amount
    return { remaining: billing.balance }
  }
  return startFakeOutsider(({ path, body }, response) => {
    const refusal = billing.isAway ? { status: 503, code: 'unavailable' } : billing.refusal
    if (refusal !== undefined && (billing.isAway || path === billingInternalRoutes.hold.path)) {
      for (const [name, value] of Object.entries(billing.refusal?.headers ?? {})) response.setHeader(name, value)
      answerJson(response, { error: 'Refused', code: refusal.code, requestId: 'request' }, refusal.status)
      return
    }
    if (path === billingInternalRoutes.hold.path) {
      answerJson(response, keep(JSON.parse(body)), 201)
      return
    }
    if (path === billingInternalRoutes.holdSeveral.path) {
      const { holds } = JSON.parse(body) as { holds: Hold[] }
      const { code, headers = {} } = refusal ?? {}
      const answerTo = (hold: Hold) =>
        code === undefined ? keep(hold) : { refusal: { code, error: 'Refused', headers } }
      answerJson(response, { results: holds.map(answerTo) })
      return
    }
    const [, renewed = ''] = /^\/internal\/holds\/([^/]+)\/renew$/.exec(path) ?? []
    const renewedHold = billing.holds.get(renewed)
    if (renewedHold !== undefined) renewedHold.renewed += 1
    if (path === billingInternalRoutes.settleHolds.path) {
      const told = billingInternalRoutes.settleHolds.body?.parse(JSON.parse(body))
      for (const { generationId, amount } of told?.settlements ?? []) {
        const hold = billing.holds.get(generationId)
        if (hold === undefined || hold.settled !== undefined) continue
        hold.settled = amount
        billing.balance += hold.amount - amount
      }
    }
    response.writeHead(204).end()
  })
}
