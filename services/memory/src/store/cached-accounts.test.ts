import type { Versioned } from '@parley/documents'
import { expect, it } from 'vitest'
import { cachedAccounts } from './cached-accounts.ts'
import { type Account, newAccount } from './documents.ts'

/** Accounts in memory, with the calls that were made. */
function openAccounts() {
  const stored = new Map<string, Versioned<Account>>()
  const calls: string[] = []
  const accounts: Parameters<typeof cachedAccounts>[0] = {
    async get(id) {
      calls.push('get')
      return stored.get(id)
    },
    async version(id) {
      calls.push('version')
      return stored.get(id)?.version
    },
    find: async () => [],
    async insertOnce(docs) {
      return docs.map((doc) => {
        const there = stored.get(doc.id)
        const kept = there ?? { doc, version: 1 }
        stored.set(doc.id, kept)
        return { ...kept, isNew: there === undefined }
      })
    },
    async replace({ doc, version }, fields) {
      if (stored.get(doc.id)?.version !== version) return undefined
      const next = { doc: { ...doc, ...fields }, version: version + 1 }
      stored.set(doc.id, next)
      return next
    },
    patch: async () => false,
    async removeWhere(_index, { equal: [id] = [] }) {
      return stored.delete(String(id)) ? 1 : 0
    },
  }
  return { accounts, calls }
}
const seen = (seen: number): Account => ({ ...newAccount('ann'), seen })

it('an account is read once, then only its version, until another replica has changed it', async () => {
  const { accounts, calls } = openAccounts()
  const [mine, others] = [cachedAccounts(accounts), cachedAccounts(accounts)]
  expect(await mine.get('ann')).toBeUndefined()
  await accounts.insertOnce([seen(1)])
  calls.length = 0
  const read = await mine.get('ann')
  expect(await mine.get('ann')).toEqual(read)
  expect(calls).toEqual(['get', 'version'])
  if (read === undefined) throw new Error('nothing was read')
  await others.replace(read, seen(2))
  expect((await mine.get('ann'))?.doc.seen).toBe(2)
  expect(calls.slice(2)).toEqual(['version', 'get'])
  expect(await mine.replace(read, seen(3))).toBeUndefined()
  expect((await mine.get('ann'))?.doc.seen).toBe(2)
})

it('accounts are cached by what they have, dismissed suggestions included, and none is free', async () => {
  const { accounts, calls } = openAccounts()
  const mine = cachedAccounts(accounts)
  const readAgain = async (count: number, doc: Partial<Account>) => {
    const ids = Array.from({ length: count }, (_none, nth) => `${count}-${nth}`)
    for (const id of ids) await mine.insertOnce([{ ...newAccount(id), ...doc }])
    calls.length = 0
    await mine.get(ids[0] ?? '')
    await mine.get(ids.at(-1) ?? '')
    return calls
  }
  expect(await readAgain(20_000, {})).toEqual(['get', 'version'])
  expect(await readAgain(200, { dismissed: Array<string>(2_000).fill('key') })).toEqual(['get', 'version'])
})

it('an account that this process wrote is not read again, and nothing stays of one that is gone', async () => {
  const { accounts, calls } = openAccounts()
  const mine = cachedAccounts(accounts)
  const [inserted] = await mine.insertOnce([seen(1)])
  if (inserted === undefined) throw new Error('nothing was kept')
  await mine.replace(inserted, { seen: 2 })
  expect(await mine.get('ann')).toMatchObject({ doc: { seen: 2 }, version: 2 })
  expect(calls).toEqual(['version'])
  await accounts.removeWhere('id', { equal: ['ann'] }, 1)
  expect(await mine.get('ann')).toBeUndefined()
  await mine.insertOnce([seen(4)])
  await mine.removeWhere('id', { equal: ['ann'] }, 1)
  calls.length = 0
  expect(await mine.get('ann')).toBeUndefined()
  expect(calls).toEqual(['get'])
})
