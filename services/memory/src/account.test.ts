import { maxMemories } from '@parley/contracts'
import { describe, expect, it } from 'vitest'
import {
  type AccountDecision,
  approve,
  clearAll,
  dismiss,
  edit,
  forget,
  mostPending,
  remember,
  remove,
  restorableMs,
  restore,
  restoreCleared,
  suggest,
  textKey,
  tidy,
  withDiscarded,
} from './account.ts'
import type { Account } from './store/documents.ts'

const at = new Date(0)
const after = (ms: number) => ({ at: new Date(ms) })
const nextOf = ({ next }: AccountDecision<unknown>): Account => {
  if (next === undefined) throw new Error('nothing changed')
  return next
}
/** An account that remembers these keys, each under its own name. */
const remembering = (...keys: string[]): Account =>
  keys.reduce<Account | undefined>(
    (account, key) => nextOf(remember(account, { ownerId: 'u', at }, { key, id: key })),
    undefined,
  ) as Account
/** Stored memories of this number, each under its key. */
const full = (count = maxMemories) =>
  Object.fromEntries(Array.from({ length: count }, (_none, nth) => [`m${nth}`, `m${nth}`]))
const idsIn = ({ activity }: Account) => activity.map(({ id }) => id)

describe('a memory', () => {
  it('that is forgotten leaves no trace in the activity, unlike a deleted one, until that cannot be restored', () => {
    const account = nextOf(remove(remembering('a', 'b', 'c'), { at }, 'b'))
    const without = nextOf(forget(account, 'a'))
    expect(idsIn(without)).toEqual(['b', 'c', 'b'])
    expect(idsIn(nextOf(tidy(without, after(restorableMs - 1))))).toEqual(['b', 'c', 'b'])
    const tidied = nextOf(tidy(without, after(restorableMs)))
    expect(idsIn(tidied)).toEqual(['c'])
    expect(tidied).toMatchObject({ stored: { c: 'c' }, deleted: {}, forgotten: ['a', 'b'] })
  })

  it('of a clear comes back once, unless its text has been remembered anew', () => {
    const cleared = nextOf(clearAll(remembering('a', 'b'), { at }, 'clear'))
    const anew = nextOf(remember(cleared, { ownerId: 'u', at }, { key: 'a', id: 'new' }))
    const back = restoreCleared(anew, { at })
    expect(back).toMatchObject({ result: 1, next: { stored: { a: 'new', b: 'b' } } })
    const deleted = nextOf(remove(nextOf(back), { at }, 'b'))
    expect(restoreCleared(deleted, { at }).result).toBe(0)
    const again = nextOf(forget(nextOf(back), 'new'))
    expect(restoreCleared(again, { at }).result).toBe(0)
  })

  it('of the last clear comes back, none that was deleted before, and none beyond the limit', () => {
    const deleted = nextOf(remove(remembering('a', 'b', 'c'), { at }, 'a'))
    const cleared = nextOf(clearAll(deleted, { at }, 'clear'))
    expect(nextOf(restoreCleared(cleared, { at })).stored).toEqual({ b: 'b', c: 'c' })
    const nearlyFull = { ...cleared, stored: full(maxMemories - 1) }
    const back = restoreCleared(nearlyFull, { at })
    expect([back.result, Object.keys(nextOf(back).stored).length]).toEqual([1, maxMemories])
  })
})

it('texts are the same that differ in case, white space, width and final punctuation only', () => {
  for (const text of ['I like tea', 'i LIKE\n tea!', ' I like tea… ', 'I like ｔｅａ。'])
    expect(textKey(text)).toBe(textKey('I like tea.'))
  expect(textKey('I like tea, too')).not.toBe(textKey('I like tea'))
  expect(textKey('!')).not.toBe(textKey('.'))
})

describe('a stored memory', () => {
  it('is edited to its own text again, as when only its category changes, and to no other’s', () => {
    const account = remembering('a', 'b')
    expect(edit(account, { at }, { id: 'a', key: 'a' }).result).toBe('edited')
    expect(edit(account, { at }, { id: 'a', key: 'b' }).result).toBe('conflict')
    expect(nextOf(edit(account, { at }, { id: 'a', key: 'c' })).stored).toEqual({ b: 'b', c: 'a' })
  })

  it('is not restored beside another one of the same text', () => {
    const deleted = nextOf(remove(remembering('a'), { at }, 'a'))
    const anew = nextOf(remember(deleted, { ownerId: 'u', at }, { key: 'a', id: 'new' }))
    expect(restore(anew, { at }, 'a').result).toBe('conflict')
    expect(restore(deleted, { at }, 'a').result).toBe('restored')
    expect(restore(deleted, after(restorableMs - 1), 'a').result).toBe('restored')
    expect(restore(deleted, after(restorableMs), 'a').result).toBe('unknown')
    expect(restore({ ...deleted, stored: full() }, { at }, 'a').result).toBe('full')
  })

  it('that is deleted is tidied at once where too many are', () => {
    const many = Object.fromEntries(
      Array.from({ length: 5_000 }, (_none, nth) => [`d${nth}`, { key: `d${nth}`, at: at.toISOString(), clear: null }]),
    )
    const due = new Date(restorableMs)
    const crowded = { ...remembering('a', 'b'), deleted: many, tidyAt: due }
    expect(nextOf(remove(crowded, { at }, 'a')).tidyAt).toEqual(at)
    expect(nextOf(remove({ ...crowded, deleted: {} }, { at }, 'a')).tidyAt).toEqual(due)
    // What was deleted first is due first.
    expect(nextOf(remove({ ...crowded, deleted: {} }, after(1), 'a')).tidyAt).toEqual(due)
    const last = nextOf(remove(crowded, after(1), 'a'))
    const tidied = nextOf(tidy(last, after(2)))
    expect(withDiscarded(last, tidied, at).left).toHaveLength(1)
    expect(tidied).toMatchObject({ deleted: { a: { key: 'a' } }, tidyAt: new Date(restorableMs + 1) })
  })

  it('that leaves the account is discarded until it is tidied, or listed again', () => {
    const before = remembering('a', 'b')
    const { next, left } = withDiscarded(before, nextOf(forget(before, 'a')), at)
    expect([left, next.discarded, next.tidyAt]).toEqual([['a'], ['a'], new Date(300_000)])
    expect(withDiscarded(before, nextOf(remove(before, { at }, 'a')), at)).toMatchObject({ left: [] })
    expect(withDiscarded(next, { ...next, stored: { a: 'a' } }, at).next.discarded).toEqual(['b'])
    expect(nextOf(tidy(next, after(1), ['a']))).toMatchObject({ discarded: [], tidyAt: null })
    expect(nextOf(tidy(next, after(1), []))).toMatchObject({ discarded: ['a'] })
  })
})

describe('a suggestion', () => {
  const candidate = (nth: number) => ({ key: `k${nth}`, id: `s${nth}`, isMerge: false })

  it('beyond the limit of pending ones is dropped', () => {
    const many = Array.from({ length: mostPending + 1 }, (_none, nth) => candidate(nth))
    expect(suggest(undefined, { ownerId: 'u', at }, many).result.size).toBe(mostPending)
  })

  it('of a text that is pending already keeps the id of that one', () => {
    const pending = nextOf(suggest(undefined, { ownerId: 'u', at }, [candidate(1)]))
    const again = suggest(pending, { ownerId: 'u', at }, [{ key: 'k1', id: 'again', isMerge: false }])
    expect([[...again.result], again.next]).toEqual([[['again', 's1']], undefined])
  })

  it('is decided by remembering its text', () => {
    const pending = nextOf(suggest(undefined, { ownerId: 'u', at }, [candidate(1)]))
    const decided = remember(pending, { ownerId: 'u', at }, { key: 'k1', id: 'own' })
    expect(decided).toMatchObject({ result: { kind: 'stored', replaced: 's1' }, next: { pending: {} } })
    expect(approve(nextOf(decided), { at }, { id: 's1', category: 'fact' as never, merges: [] }).result).toEqual({
      kind: 'unknown',
    })
  })

  it('that was dismissed does not come again, though many were dismissed before', () => {
    const dismissed = Array.from({ length: 2_000 }, (_none, nth) => `old${nth}`)
    const pending = nextOf(suggest({ ...remembering('a'), dismissed }, { ownerId: 'u', at }, [candidate(1)]))
    const decided = nextOf(dismiss(pending, { at }, [{ id: 's1', category: 'general' }]))
    expect(decided.dismissed).toHaveLength(2_000)
    expect(suggest(decided, { ownerId: 'u', at }, [candidate(1)])).toEqual({ result: new Map() })
  })

  it('of a stored text is dropped, unless it merges memories', () => {
    const add = (isMerge: boolean) =>
      suggest(remembering('a'), { ownerId: 'u', at }, [{ key: 'a', id: 's', isMerge }]).result
    expect([add(false).size, add(true).size]).toEqual([0, 1])
  })

  it('that merges memories is approved though there is no room for another one', () => {
    const account = { ...nextOf(suggest(remembering('m0'), { ownerId: 'u', at }, [candidate(1)])), stored: full() }
    const approved = (merges: string[]) =>
      approve(account, { at }, { id: 's1', category: 'general', merges }).result.kind
    expect(approved([])).toBe('full')
    expect(approved(['m0', 'm1'])).toBe('approved')
  })
})
