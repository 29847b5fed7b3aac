import { authSubscriptions } from '@parley/auth/consumers'
import { openAuthStores } from '@parley/auth/stores'
import { billingSubscriptions } from '@parley/billing/consumers'
import { openBillingStores } from '@parley/billing/stores'
import type { Subscription } from '@parley/bus'
import { chatSubscriptions } from '@parley/chat/consumers'
import { openChatStores } from '@parley/chat/stores'
import { llmRouterSubscriptions } from '@parley/llm-router/consumers'
import { openLlmRouterStores } from '@parley/llm-router/stores'
import { notifierSubscriptions } from '@parley/notifier/consumers'
import { openNotifierStores } from '@parley/notifier/stores'
import { realtimeSubscriptions } from '@parley/realtime/consumers'
import type { House } from './house.ts'
import { authService } from './services.ts'

/**
 * All that services do with events, over the embedded engines, for an operator who hands dead letters out again, whether Parley runs or not. auth
 * only listens, since handlers bring it what it asked for: nothing of it is started.
 */
export async function openSubscriptions(
  house: House,
  options: Parameters<typeof authService>[1],
): Promise<readonly Subscription[]> {
  const auth = await authService(house, options)
  await house.run({ ...auth, start: async () => undefined }, { host: '127.0.0.1', port: 0 })
  const { postgres, keep, toolsOf } = house
  const { cache, ...tools } = toolsOf('chat')
  const stopping = new AbortController().signal
  return [
    ...authSubscriptions(keep(openAuthStores(postgres))),
    ...billingSubscriptions({ ...toolsOf('billing'), stores: keep(openBillingStores(postgres)) }),
    ...chatSubscriptions({ ...tools, signal: cache.signal, stores: keep(openChatStores(postgres)), stopping }),
    ...llmRouterSubscriptions({ ...toolsOf('llm-router'), stores: keep(openLlmRouterStores(postgres)) }),
    // The notifier that runs, or starts next, finds what was queued by itself.
    ...notifierSubscriptions({
      ...toolsOf('notifier'),
      stores: keep(openNotifierStores(postgres)),
      queued: () => undefined,
    }),
    // Nobody is connected here; what they have left is told with the next change, or when they look.
    ...realtimeSubscriptions({ ...toolsOf('realtime'), credits: { renew: () => undefined } }),
  ]
}
