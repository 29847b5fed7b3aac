import type { Receipt } from '@parley/contracts'
import { type ExportFile, jsonLines } from '@parley/kit'
import type { StoredKey } from './keys/key.ts'
import { receiptOf } from './receipts/receipt.ts'
import type { ExportedEntry } from './store/export-store.ts'
import type { BillingStores } from './store/index.ts'

const rowsAtOnce = 1_000

export type ExportStores = Pick<BillingStores, 'exports' | 'keys' | 'usage' | 'receipts'>

const always = { from: '0001-01-01', to: '9999-12-31' }

/** A user's data, for an export. */
export async function* exportedFiles(stores: ExportStores, userId: string): AsyncGenerator<ExportFile> {
  const account = (await stores.exports.account(userId)) ?? null
  yield { path: 'billing/account.json', content: [`${JSON.stringify(account, undefined, 2)}\n`] }
  yield { path: 'billing/ledger.json', content: jsonLines(entriesOf(stores.exports, userId)) }
  const keys = (await stores.keys.listOf(userId)).map(withoutInternals)
  yield { path: 'billing/keys.json', content: [`${JSON.stringify(keys, undefined, 2)}\n`] }
  const usage = await stores.usage.ofUser(userId, always)
  yield { path: 'billing/usage.json', content: [`${JSON.stringify(usage, undefined, 2)}\n`] }
  yield { path: 'billing/receipts.json', content: jsonLines(receiptsOf(stores.receipts, userId)) }
}

const withoutInternals = ({ seq, userId, version, ...key }: StoredKey) => key

async function* receiptsOf(store: BillingStores['receipts'], userId: string): AsyncGenerator<Receipt> {
  for await (const page of store.every(userId, { from: undefined, until: undefined })) yield* page.map(receiptOf)
}

async function* entriesOf(store: BillingStores['exports'], userId: string): AsyncGenerator<ExportedEntry> {
  let after = 0
  for (;;) {
    const entries = await store.ledger(userId, after, rowsAtOnce)
    yield* entries
    const last = entries.at(-1)
    if (last === undefined || entries.length < rowsAtOnce) return
    after = last.id
  }
}
