import { createChange, type Documents } from '@parley/documents'
import type { Clock } from '@parley/kit'
import {
  claimVectors,
  postponeVectors,
  reviveVectors,
  type Stale,
  settleUnwanted,
  settleVectors,
  type VectorWork,
} from '../vectors/account-vectors.ts'
import type { Account, MemoryDocument, VectorDocument } from './documents.ts'

/** A newly created vector of a text. */
export type NewVector = Pick<VectorDocument, 'id' | 'key' | 'data'>

/** Vectors of users' memories. The owner's account is the work queue, leased to one replica at a time and retried after a crash. */
export type VectorStore = ReturnType<typeof createVectorStore>

export interface VectorStoreDeps {
  readonly accounts: Documents<Account, 'tidying' | 'vectors_due'>
  readonly memories: Documents<MemoryDocument, 'of_owner'>
  readonly vectors: Documents<VectorDocument, 'of_owner'>
  readonly now: Clock
}

const dueAtOnce = 20
const readAtOnce = 500
/** Up to this many are read one by one; beyond that, the owner's whole list. */
const readSingly = 20

/** A VectorStore on the documents of either engine. */
export function createVectorStore({ accounts, memories, vectors, now }: VectorStoreDeps) {
  const changeAccount = createChange(accounts, { mostRemembered: 0 })
  const remove = async (ownerId: string, ids: readonly string[] | 'all'): Promise<void> => {
    if (ids === 'all') while ((await vectors.removeWhere('of_owner', { equal: [ownerId] }, readAtOnce)) > 0);
    else for (const id of ids) await vectors.removeWhere('id', { equal: [id] }, 1)
  }
  async function* all(ownerId: string): AsyncGenerator<VectorDocument> {
    let after: VectorDocument | undefined
    for (;;) {
      const page = { limit: readAtOnce, ...(after && { after }) }
      const found = await vectors.find('of_owner', { equal: [ownerId] }, page)
      for (const { doc } of found) yield doc
      if (found.length < readAtOnce) return
      after = found.at(-1)?.doc
    }
  }
  return {
    /** Owners with due work, longest waiting first. */
    async due(): Promise<readonly string[]> {
      const found = await accounts.find('vectors_due', { before: now() }, { limit: dueAtOnce })
      return found.map(({ doc }) => doc.id)
    },
    /** Leases a due owner for two minutes. @param space the current embedding model; null for none */
    claim: (ownerId: string, space: string | null): Promise<VectorWork> =>
      changeAccount(ownerId, (account) => claimVectors(account, now(), space)),
    /** Texts of memories by their ids. */
    async texts(ownerId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const found = await Promise.all(ids.map((id) => memories.get(id)))
      const own = found.flatMap((each) => (each?.doc.ownerId === ownerId ? [each.doc] : []))
      return new Map(own.map(({ id, text }) => [id, text]))
    },
    /** Upserts vectors. */
    async keep(ownerId: string, space: string, made: readonly NewVector[]): Promise<void> {
      await remove(
        ownerId,
        made.map(({ id }) => id),
      )
      if (made.length > 0) await vectors.insertOnce(made.map((vector) => ({ ...vector, ownerId, space })))
    },
    /** Records finished work, and renews the lease for two minutes if work is left. */
    settle: (ownerId: string, space: string, done: readonly Stale[]): Promise<VectorWork> =>
      changeAccount(ownerId, (account) => settleVectors(account, now(), { space, done })),
    /** Records a failure: retried with backoff, and given up after eight in a row. */
    postpone: (ownerId: string): Promise<void> => changeAccount(ownerId, (account) => postponeVectors(account, now())),
    /** Makes an owner due again who lacks vectors of the space. */
    revive: (ownerId: string, space: string): Promise<void> =>
      changeAccount(ownerId, (account) => reviveVectors(account, now(), space)),
    /** The existing vectors of these memories, read as they are taken: together they may have 100 MB. */
    async *read(ownerId: string, ids: readonly string[]): AsyncIterable<VectorDocument> {
      if (ids.length <= readSingly) {
        for (const found of await Promise.all(ids.map((id) => vectors.get(id))))
          if (found?.doc.ownerId === ownerId) yield found.doc
        return
      }
      const wanted = new Set(ids)
      for await (const doc of all(ownerId)) if (wanted.has(doc.id)) yield doc
    },
    remove,
    /** Removes all vectors of an owner who has turned them off. */
    async removeUnwanted(ownerId: string): Promise<void> {
      await remove(ownerId, 'all')
      await changeAccount(ownerId, settleUnwanted)
    },
  }
}
