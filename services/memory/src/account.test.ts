import { describe, expect, it } from 'vitest'
import {
  type AccountDecision,
  approve,
  clearAll,
  forget,
  mostPending,
  remember,
  remove,
  restorableMs,
  restoreCleared,
  suggest,
  tidy,
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
})

describe('a suggestion', () => {
  const candidate = (nth: number) => ({ key: `k${nth}`, id: `s${nth}`, isMerge: false })

  it('beyond the limit of pending ones is dropped', () => {
    const many = Array.from({ length: mostPending + 1 }, (_none, nth) => candidate(nth))
    expect(suggest(undefined, { ownerId: 'u', at }, many).result.size).toBe(mostPending)
  })

  it('is decided by remembering its text', () => {
    const pending = nextOf(suggest(undefined, { ownerId: 'u', at }, [candidate(1)]))
    const decided = remember(pending, { ownerId: 'u', at }, { key: 'k1', id: 'own' })
    expect(decided).toMatchObject({ result: { kind: 'stored', replaced: 's1' }, next: { pending: {} } })
    expect(approve(nextOf(decided), { at }, { id: 's1', category: 'fact' as never, merges: [] }).result).toEqual({
      kind: 'unknown',
    })
  })
})
