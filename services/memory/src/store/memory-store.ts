import { type ImportedMemory, type MemoryCategory, maxMemories, maxMemoryLength } from '@parley/contracts'
import { createChange, type Documents } from '@parley/documents'
import { AppError, type Clock, erasedHash, type NewId, notFound } from '@parley/kit'
import {
  type AccountDecision,
  approve,
  choose,
  clearAll,
  dismiss,
  edit,
  forget,
  remember,
  remove,
  restore,
  restoreCleared,
  suggest,
  textKey,
  tidy,
  withDiscarded,
} from '../account.ts'
import { type ImportedAs, importedId, importMemories } from '../import-memories.ts'
import { withStaleVectors } from '../vectors/account-vectors.ts'
import type { Account, MemoryDocument, StoredSettings } from './documents.ts'
import type { VectorStore } from './vector-store.ts'

/** The input for a new memory. */
export type NewMemory = Pick<MemoryDocument, 'text' | 'category' | 'source'>
/** The result of adding a text. */
export interface Added {
  readonly memory: MemoryDocument
  readonly isNew: boolean
  /** Whether this decided a suggestion of the same text. */
  readonly decided: boolean
}
/** The result of an import. */
export interface ImportedAll {
  /** One per memory, in order. */
  readonly outcomes: readonly ImportedAs[]
  /** Whether this decided suggestions of the same texts. */
  readonly decided: boolean
}
/** The input for a new suggestion. */
export type NewSuggestion = Pick<MemoryDocument, 'text' | 'category' | 'confidence' | 'reason' | 'source' | 'merges'>
/** An edit of text or category. */
export interface MemoryChange {
  readonly text?: string | undefined
  readonly category?: MemoryCategory | undefined
}
/** The lists of an account: memories, suggestions, and memories that can be restored. */
export type Named = 'stored' | 'pending' | 'deleted'
/** A page of a list, newest first. */
export interface ListPart {
  readonly limit: number
  /** The last item of the previous page. */
  readonly after?: Pick<MemoryDocument, 'id' | 'createdAt'> | undefined
  readonly matches?: (memory: MemoryDocument) => boolean
}

/**
 * Memories of users. Each act is decided on the owner's account, a single document, so that concurrent acts are serialized. Texts are documents of
 * their own, written after the account lists them; the next act that needs a text lost in a crash writes it again. They are deleted after the account
 * lists them no more, at once and again by `tidy`. Acts throw AppError.
 */
export type MemoryStore = ReturnType<typeof createMemoryStore>

export interface MemoryStoreDeps {
  readonly accounts: Documents<Account, 'tidying' | 'vectors_due'>
  readonly memories: Documents<MemoryDocument, 'of_owner'>
  readonly erased: Documents<{ readonly id: string }>
  readonly vectors: Pick<VectorStore, 'remove'>
  readonly now: Clock
  readonly newId: NewId
}

const readAtOnce = 500
const tidiedAtOnce = 50
/** Versions in a history; long ones are fewer, so that 5,000 memories can be listed. UTF-16 units. */
const mostHistory = 50
const mostHistoryUnits = 10 * maxMemoryLength

const full = () =>
  new AppError('conflict', `You have ${maxMemories.toLocaleString('en')} memories. Please delete some to make room.`)
const taken = () => new AppError('conflict', 'You already have a memory with this text.')

/** The latest versions of a history, oldest first. */
function latestOf(history: MemoryDocument['history']): MemoryDocument['history'] {
  let units = 0
  const fits = ({ text }: { readonly text: string }): boolean => {
    units += text.length
    return units <= mostHistoryUnits
  }
  return history.slice(-mostHistory).toReversed().filter(fits).toReversed()
}

/** The document of an imported memory; times in the future are set to now. */
function importedDocument(ownerId: string, memory: ImportedMemory, at: Date): MemoryDocument {
  const text = memory.text.trim()
  const id = importedId(ownerId, memory.id ?? textKey(text))
  const createdAt = memory.createdAt === undefined ? at : new Date(Math.min(Date.parse(memory.createdAt), at.getTime()))
  const { category, confidence } = memory
  const own = { reason: null, source: null, merges: [], lastUsedAt: null, history: [] }
  return { ...own, id, ownerId, text, category, confidence, createdAt, updatedAt: at }
}

/** A MemoryStore on the documents of either engine. */
export function createMemoryStore(deps: MemoryStoreDeps) {
  const { accounts, memories, erased, vectors, now, newId } = deps
  const changeAccount = createChange(accounts, { mostRemembered: 0 })
  const hashOf = (ownerId: string): string => erasedHash(ownerId).toString('hex')
  const erase = async (ownerId: string): Promise<void> => {
    await erased.insertOnce([{ id: hashOf(ownerId) }])
    await accounts.removeWhere('id', { equal: [ownerId] }, 1)
    await vectors.remove(ownerId, 'all')
    while ((await memories.removeWhere('of_owner', { equal: [ownerId] }, readAtOnce)) > 0);
  }
  /** Runs an act, and erases again if the owner was erased meanwhile. */
  const kept = async <Result>(ownerId: string, act: () => Promise<Result>): Promise<Result> => {
    const result = await act()
    if ((await erased.get(hashOf(ownerId))) === undefined) return result
    await erase(ownerId)
    throw notFound()
  }
  const discard = async (ids: readonly string[]): Promise<void> => {
    for (const id of ids) await memories.removeWhere('id', { equal: [id] }, 1)
  }
  /** Decides an act, and removes the vectors that it invalidates and the texts that it discards; after a crash the account still lists those. */
  const decide = async <Result>(ownerId: string, act: (account: Account | undefined) => AccountDecision<Result>) => {
    let gone: readonly string[] | 'all' = []
    let discarded: readonly string[] = []
    const result = await changeAccount(ownerId, (account) => {
      const decision = act(account)
      const at = now()
      const lists = decision.next && withDiscarded(account, decision.next, at)
      const marked = lists && withStaleVectors(account, lists.next, at)
      gone = marked?.gone ?? []
      discarded = lists?.left ?? []
      return { ...decision, next: marked?.next }
    })
    if (gone.length > 0) await vectors.remove(ownerId, gone)
    await discard(discarded)
    return result
  }
  const find = async (ownerId: string, id: string): Promise<MemoryDocument | undefined> => {
    const doc = (await memories.get(id))?.doc
    return doc?.ownerId === ownerId ? doc : undefined
  }
  const put = async (doc: MemoryDocument): Promise<MemoryDocument> => {
    const [there] = await memories.insertOnce([doc])
    return there?.doc ?? doc
  }
  /** @param nth the index among suggestions found together, which keeps their order */
  const newDocument = (ownerId: string, id: string, memory: NewSuggestion, nth = 0): MemoryDocument => {
    const at = new Date(now().getTime() + nth)
    return { ...memory, id, ownerId, createdAt: at, updatedAt: at, lastUsedAt: null, history: [] }
  }
  /** Writes a new text or category, and adds the former one to the history. */
  const write = async (ownerId: string, id: string, change: MemoryChange): Promise<MemoryDocument> => {
    for (;;) {
      const found = await memories.get(id)
      if (found === undefined || found.doc.ownerId !== ownerId) throw notFound()
      const { text, category, updatedAt, history } = found.doc
      const next = { text: change.text ?? text, category: change.category ?? category }
      if (next.text === text && next.category === category) return found.doc
      const was = latestOf([...history, { at: updatedAt.toISOString(), text, category }])
      const written = await memories.replace(found, { ...next, history: was, updatedAt: now() })
      if (written !== undefined) return written.doc
    }
  }
  async function* documentsOf(ownerId: string, after?: ListPart['after']): AsyncGenerator<MemoryDocument> {
    let last = after
    for (;;) {
      const page = { limit: readAtOnce, descending: true, ...(last && { after: last }) }
      const found = await memories.find('of_owner', { equal: [ownerId] }, page)
      for (const { doc } of found) yield doc
      if (found.length < readAtOnce) return
      last = found.at(-1)?.doc
    }
  }
  async function* all(ownerId: string, named: Named, after?: ListPart['after']): AsyncGenerator<MemoryDocument> {
    const account = (await accounts.get(ownerId))?.doc
    const ids = new Set(account && (named === 'deleted' ? Object.keys(account.deleted) : Object.values(account[named])))
    if (ids.size === 0) return
    for await (const doc of documentsOf(ownerId, after)) if (ids.has(doc.id)) yield doc
  }
  const list = async (ownerId: string, named: Named, part: ListPart): Promise<readonly MemoryDocument[]> => {
    const { limit, after, matches = () => true } = part
    const listed: MemoryDocument[] = []
    for await (const doc of all(ownerId, named, after)) {
      if (!matches(doc)) continue
      listed.push(doc)
      if (listed.length === limit) break
    }
    return listed
  }
  const approveOne = async (ownerId: string, doc: MemoryDocument, change: MemoryChange) => {
    const key = change.text === undefined ? undefined : textKey(change.text)
    const approval = { id: doc.id, key, category: change.category ?? doc.category, merges: doc.merges }
    return await decide(ownerId, (account) => approve(account, { at: now() }, approval))
  }
  return {
    account: (ownerId: string) => accounts.get(ownerId),
    find,
    list,
    /** A whole list, newest first, read as it is taken: with their histories the memories of an account may have 100 MB. */
    all: (ownerId: string, named: Named): AsyncIterable<MemoryDocument> => all(ownerId, named),
    /** @throws conflict at the limit of memories */
    add: (ownerId: string, memory: NewMemory): Promise<Added> =>
      kept(ownerId, async () => {
        const act = { ownerId, at: now() }
        const wanted = { key: textKey(memory.text), id: newId() }
        const remembered = await decide(ownerId, (account) => remember(account, act, wanted))
        if (remembered.kind === 'full') throw full()
        const { id } = remembered
        const replaced = remembered.kind === 'stored' ? remembered.replaced : undefined
        const there = remembered.kind === 'exists' ? await find(ownerId, id) : undefined
        const own = { ...memory, confidence: 'high' as const, reason: null, merges: [] }
        const kept = there ?? (await put(newDocument(ownerId, id, own)))
        return { memory: kept, isNew: remembered.kind === 'stored', decided: replaced !== undefined }
      }),
    /** Adds memories that are new by id and text; deleted ones are restored only if `includeRemoved`. Idempotent. */
    importAll: (ownerId: string, imported: readonly ImportedMemory[], includeRemoved: boolean): Promise<ImportedAll> =>
      kept(ownerId, async () => {
        const at = now()
        const docs = imported.map((memory, nth) => importedDocument(ownerId, memory, new Date(at.getTime() + nth)))
        const entries = docs.map(({ id, text }, nth) => ({ id, key: textKey(text), fileId: imported[nth]?.id }))
        const { outcomes, toWrite, replaced } = await decide(ownerId, (account) =>
          importMemories(account, { ownerId, at }, entries, includeRemoved),
        )
        const own = new Map(docs.filter(({ id }) => toWrite.has(id)).map((doc) => [doc.id, doc]))
        if (own.size > 0) await memories.insertOnce([...own.values()])
        return { outcomes, decided: replaced.length > 0 }
      }),
    /** Resolves to the suggestions whose texts are new. */
    suggest: (ownerId: string, suggestions: readonly NewSuggestion[]): Promise<readonly MemoryDocument[]> =>
      kept(ownerId, async () => {
        const docs = suggestions.map((suggestion, nth) => newDocument(ownerId, newId(), suggestion, nth))
        const candidates = docs.map(({ id, text, merges }) => ({ id, key: textKey(text), isMerge: merges.length > 0 }))
        const ids = await decide(ownerId, (account) => suggest(account, { ownerId, at: now() }, candidates))
        const wanted = new Map<string, MemoryDocument>()
        for (const doc of docs) {
          const id = ids.get(doc.id)
          if (id !== undefined && !wanted.has(id)) wanted.set(id, { ...doc, id })
        }
        const kept = wanted.size === 0 ? [] : await memories.insertOnce([...wanted.values()])
        return kept.filter(({ isNew }) => isNew).map(({ doc }) => doc)
      }),
    /** @throws not_found when already decided, conflict at the limit of memories */
    approve: (ownerId: string, id: string, change: MemoryChange): Promise<MemoryDocument> =>
      kept(ownerId, async () => {
        const doc = await find(ownerId, id)
        if (doc === undefined) throw notFound()
        const approved = await approveOne(ownerId, doc, change)
        if (approved.kind === 'unknown') throw notFound()
        if (approved.kind === 'full') throw full()
        return await write(ownerId, approved.id, approved.kind === 'approved' ? change : {})
      }),
    /** Approves suggestions up to the limit of memories; resolves to their number. */
    approveAll: (ownerId: string): Promise<number> =>
      kept(ownerId, async () => {
        let approved = 0
        for (const doc of await list(ownerId, 'pending', { limit: Number.POSITIVE_INFINITY })) {
          const { kind } = await approveOne(ownerId, doc, {})
          if (kind === 'full') break
          if (kind === 'approved') approved += 1
        }
        return approved
      }),
    async dismiss(ownerId: string, id: string | 'all'): Promise<number> {
      const one = id === 'all' ? undefined : await find(ownerId, id)
      const some = id === 'all' ? await list(ownerId, 'pending', { limit: Number.POSITIVE_INFINITY }) : one ? [one] : []
      return (await decide(ownerId, (account) => dismiss(account, { at: now() }, some))).length
    },
    /** @throws not_found, conflict when another memory has the text */
    edit: (ownerId: string, id: string, change: MemoryChange): Promise<MemoryDocument> =>
      kept(ownerId, async () => {
        const key = change.text === undefined ? undefined : textKey(change.text)
        const edited = await decide(ownerId, (account) => edit(account, { at: now() }, { id, key }))
        if (edited === 'unknown') throw notFound()
        if (edited === 'conflict') throw taken()
        return await write(ownerId, id, change)
      }),
    /** @throws not_found */
    async remove(ownerId: string, id: string, forever: boolean): Promise<void> {
      const act = { at: now() }
      const removed = await decide(ownerId, (account) => (forever ? forget(account, id) : remove(account, act, id)))
      if (!removed) throw notFound()
    },
    /** @throws not_found, conflict */
    restore: (ownerId: string, id: string): Promise<MemoryDocument> =>
      kept(ownerId, async () => {
        const restored = await decide(ownerId, (account) => restore(account, { at: now() }, id))
        if (restored === 'conflict') throw taken()
        if (restored === 'full') throw full()
        const doc = restored === 'restored' ? await find(ownerId, id) : undefined
        if (doc === undefined) throw notFound()
        return doc
      }),
    clear: (ownerId: string): Promise<number> =>
      decide(ownerId, (account) => clearAll(account, { at: now() }, newId())),
    restoreCleared: (ownerId: string): Promise<number> =>
      kept(ownerId, () => decide(ownerId, (account) => restoreCleared(account, { at: now() }))),
    choose: (ownerId: string, change: (settings: StoredSettings) => StoredSettings): Promise<StoredSettings> =>
      kept(ownerId, () => decide(ownerId, (account) => choose(account, ownerId, change))),
    async noteUse(ownerId: string, ids: readonly string[]): Promise<void> {
      const lastUsedAt = now()
      for (const id of ids) await memories.patch(id, { ownerId }, { lastUsedAt })
    },
    /** Purges memories that can no longer be restored, and texts that a failure has left, of all accounts that are due; resolves to the number of these. */
    async tidy(stopping?: AbortSignal): Promise<number> {
      for (let tidied = 0; ; ) {
        const due = await accounts.find('tidying', { before: now() }, { limit: tidiedAtOnce })
        for (const { doc } of due) {
          // Not as it was found: an import may have listed one again since.
          const again = (await accounts.get(doc.id))?.doc.discarded ?? []
          await discard(again)
          await decide(doc.id, (account) => tidy(account, { at: now() }, again))
        }
        tidied += due.length
        if (due.length < tidiedAtOnce || stopping?.aborted === true) return tidied
      }
    },
    /** Erases a user for good: later writes for this user are removed, too. */
    erase,
  }
}
