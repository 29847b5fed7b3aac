import type { Subscription } from '@parley/bus'
import { contributeToExport, type ExportFile, jsonLines, type NewId, type ServiceClient } from '@parley/kit'
import type { ExportStore, KeptEntry } from './store/export-store.ts'

const rowsAtOnce = 1_000

/** What contributing to data exports uses. */
export interface ExportDeps {
  readonly stores: { readonly exports: ExportStore }
  readonly client: ServiceClient
  readonly newId: NewId
}

/** Brings what billing keeps of a user. A group of its own, since it takes its time; what it gave up is asked for again by auth, with another event. */
export const exportSubscription = ({ stores, client, newId }: ExportDeps): Subscription => ({
  group: 'billing.data-exports',
  handlers: {
    'auth.data-export-requested': ({ data: { userId, exportId } }) =>
      contributeToExport({ client, service: 'billing', exportId, newId }, filesOf(stores.exports, userId)),
  },
})

async function* filesOf(store: ExportStore, userId: string): AsyncGenerator<ExportFile> {
  const account = (await store.account(userId)) ?? null
  yield { path: 'billing/account.json', content: [`${JSON.stringify(account, undefined, 2)}\n`] }
  yield { path: 'billing/ledger.json', content: jsonLines(entriesOf(store, userId)) }
}

async function* entriesOf(store: ExportStore, userId: string): AsyncGenerator<KeptEntry> {
  let after = 0
  for (;;) {
    const entries = await store.ledger(userId, after, rowsAtOnce)
    yield* entries
    const last = entries.at(-1)
    if (last === undefined || entries.length < rowsAtOnce) return
    after = last.id
  }
}
