import { type Subscription, type UserDataDeps, userDataSubscriptions } from '@parley/bus'
import type { Signal } from '@parley/cache'
import type { Clock, ServiceClient } from '@parley/kit'
import { exportedFiles } from './data-export.ts'
import { createFinder } from './finder.ts'
import { createSignalPending } from './pending-changes.ts'
import type { SemanticReader } from './semantic/semantic-reader.ts'
import type { MemoryStores } from './store/index.ts'

export interface ConsumingDeps extends Pick<UserDataDeps, 'log' | 'newId'> {
  readonly stores: Pick<MemoryStores, 'memories'>
  readonly client: ServiceClient
  readonly signal: Pick<Signal, 'publish'>
  readonly now: Clock
  /** Without it no model is called. */
  readonly semantic?: SemanticReader
}

/** The event subscriptions of memory. All handlers are idempotent. */
export function memorySubscriptions(deps: ConsumingDeps): readonly Subscription[] {
  const { memories } = deps.stores
  const find = createFinder({ ...deps, memories, signalPending: createSignalPending({ ...deps, memories }) })
  return [
    { group: 'memory.answers', handlers: { 'chat.generation-finished': find } },
    ...userDataSubscriptions({
      ...deps,
      service: 'memory',
      filesOf: (userId) => exportedFiles(memories, userId),
      erase: memories.erase,
    }),
  ]
}
