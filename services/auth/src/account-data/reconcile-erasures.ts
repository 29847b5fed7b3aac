import type { EventBus, Subscription } from '@parley/bus'
import type { AuthParts } from '../parts.ts'
import type { ErasureStore } from '../store/erasure-store.ts'
import { userDeleted } from './erasure.ts'

/** Milliseconds between two looks at erasures. */
export const reconcileErasuresMs = 5_000

/** Hears what became of receipts. */
export const erasureSubscription = ({ erasures }: { readonly erasures: ErasureStore }): Subscription => ({
  group: 'auth.erasures',
  handlers: {
    'notifier.mail-settled': async ({ data }) => {
      if (data.kind === 'account-deleted') await erasures.noteReceiptSettled(data.subjectId)
    },
  },
})

/** Asks services again that did not say that they erased, and forgets erasures that are over. Several replicas may do so at once. */
export async function reconcileErasures(
  { stores: { erasures }, now, newId }: Pick<AuthParts, 'stores' | 'now' | 'newId'>,
  bus: Pick<EventBus, 'forget'>,
): Promise<void> {
  await erasures.retry(({ id, user_id: userId }) => userDeleted({ now, newId }, { id, userId }))
  for (const erasure of await erasures.takeOver()) {
    if ((await bus.forget([erasure.user_id])) || erasure.overdue) await erasures.close(erasure)
  }
}
