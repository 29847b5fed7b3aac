import type { EventBus, Subscription } from '@parley/bus'
import type { AuthParts } from '../parts.ts'
import type { ErasureStore } from '../store/account-data/erasure-store.ts'
import { userDeleted } from './erasure.ts'

/** Milliseconds between two looks at erasures. */
export const reconcileErasuresMs = 5_000

/** Notes erasures whose receipt was mailed, or never will be. */
export const erasureSubscription = ({ erasures }: { readonly erasures: ErasureStore }): Subscription => ({
  group: 'auth.erasures',
  handlers: {
    'notifier.mail-settled': async ({ data }) => {
      if (data.kind === 'account-deleted') await erasures.noteReceiptSettled(data.subjectId)
    },
  },
})

/**
 * Repeats the event to services that have not acknowledged an erasure, and removes erasures that are complete. A bus that fails has not forgotten, and delays
 * only this erasure. Several replicas may do so at once.
 */
export async function reconcileErasures(
  { stores: { erasures }, now, newId, log }: Pick<AuthParts, 'stores' | 'now' | 'newId' | 'log'>,
  bus: Pick<EventBus, 'forget'>,
): Promise<void> {
  await erasures.retry(({ id, user_id: userId }) => userDeleted({ now, newId }, { id, userId }))
  for (const erasure of await erasures.takeOver()) {
    const isForgotten = await bus.forget([erasure.user_id]).catch((error: unknown) => {
      log.warn({ err: error, erasure: erasure.id }, 'the bus could not forget an erased user')
      return false
    })
    if (isForgotten || erasure.overdue) await erasures.close(erasure)
  }
}
