import { describe, expect, it } from 'vitest'
import { clearAll, edit, forget, remember, textKey } from '../account.ts'
import { type Account, newAccount } from '../store/documents.ts'
import {
  claimVectors,
  lacksVectors,
  postponeVectors,
  reviveVectors,
  settleUnwanted,
  settleVectors,
  withStaleVectors,
} from './account-vectors.ts'

const at = new Date('2026-01-01T00:00:00Z')
const later = (ms: number) => new Date(at.getTime() + ms)
const minute = 60_000
const settings = { ...newAccount('me').settings, semanticMemory: true }
const off = { ...settings, semanticMemory: false }
const whole = (...texts: string[]): Account => ({
  ...newAccount('me'),
  settings,
  stored: Object.fromEntries(texts.map((text) => [textKey(text), text])),
  vectors: { space: 'model', stale: [], tries: 0 },
})
const stale = (text: string) => ({ id: text, key: textKey(text) })
/** The stored account after an act. */
const after = (before: Account, next: Account | undefined) => withStaleVectors(before, next ?? before, at)

describe('an act', () => {
  it('marks the vectors of stored, edited and removed memories stale and due', () => {
    const account = whole('One', 'Two')
    const added = after(account, remember(account, { ownerId: 'me', at }, { key: textKey('New'), id: 'New' }).next)
    expect(added).toMatchObject({ next: { vectors: { stale: ['New'] }, vectorsDueAt: at }, gone: [] })
    const edited = after(account, edit(account, { at }, { id: 'One', key: textKey('Changed') }).next)
    expect(edited).toMatchObject({ next: { vectors: { stale: ['One'] } }, gone: ['One'] })
    const forgotten = after(edited.next, forget(edited.next, 'Two').next)
    expect(forgotten).toMatchObject({ next: { vectors: { stale: ['One', 'Two'] } }, gone: ['Two'] })
    expect(after(account, clearAll(account, { at }, 'clear').next).gone).toBe('all')
  })

  it('changes no vectors when memories are unchanged or vectors are off', () => {
    const account = whole('One')
    expect(after(account, { ...account, seen: 1 })).toMatchObject({ next: { vectorsDueAt: null }, gone: [] })
    const without = { ...account, settings: off }
    expect(after(without, { ...without, stored: {} })).toMatchObject({ next: { vectorsDueAt: null }, gone: [] })
  })

  it('that turns the setting on schedules all vectors, and one that turns it off removes all', () => {
    const account = whole('One')
    expect(after({ ...account, settings: off }, account)).toMatchObject({ next: { vectorsDueAt: at }, gone: [] })
    const turnedOff = after(account, { ...account, settings: off })
    expect(turnedOff).toMatchObject({ next: { vectors: { space: null }, vectorsDueAt: at }, gone: 'all' })
    expect(claimVectors(turnedOff.next, at, null).result).toEqual({ kind: 'unwanted' })
    expect(settleUnwanted(turnedOff.next).next).toMatchObject({ vectors: { space: null }, vectorsDueAt: null })
    expect(settleUnwanted(account).next).toBeUndefined()
  })

  it('does not shorten the backoff after a failure', () => {
    const failed = postponeVectors({ ...whole('One'), vectorsDueAt: at }, at).next as Account
    expect(after(failed, { ...failed, stored: {} }).next.vectorsDueAt).toEqual(failed.vectorsDueAt)
  })
})

describe('a due account', () => {
  const due: Account = {
    ...whole('One', 'Two'),
    vectors: { space: 'model', stale: ['One', 'Gone'], tries: 0 },
    vectorsDueAt: at,
  }

  it('is leased to one replica for two minutes', () => {
    const { result, next } = claimVectors(due, at, 'model')
    expect(result).toEqual({ kind: 'make', stale: [stale('One'), { id: 'Gone', key: null }] })
    expect(claimVectors(next, later(minute), 'model').result).toEqual({ kind: 'nothing' })
    expect(claimVectors(next, later(2 * minute), 'model').result).toEqual(result)
  })

  it('rebuilds all vectors for a new model, and does nothing without a model', () => {
    const result = { kind: 'make', stale: [stale('One'), stale('Two')] }
    expect(claimVectors(due, at, 'other')).toMatchObject({ result, next: { vectors: { space: 'other' } } })
    expect(claimVectors(due, at, null)).toMatchObject({ result: { kind: 'nothing' }, next: { vectorsDueAt: null } })
    expect(claimVectors(undefined, at, 'model').result).toEqual({ kind: 'nothing' })
  })

  it('is settled only for vectors that are still valid', () => {
    const done = [stale('One'), { id: 'Gone', key: null }]
    const settled = settleVectors(due, at, { space: 'model', done })
    expect(settled).toMatchObject({ result: { stale: [] }, next: { vectors: { stale: [] }, vectorsDueAt: null } })
    const edited = { ...due, stored: { [textKey('Changed')]: 'One', [textKey('Back')]: 'Gone' } }
    const left = [
      { id: 'One', key: textKey('Changed') },
      { id: 'Gone', key: textKey('Back') },
    ]
    expect(settleVectors(edited, at, { space: 'model', done }).result).toEqual({ kind: 'make', stale: left })
    expect(settleVectors(due, at, { space: 'older', done })).toEqual({ result: { kind: 'nothing' } })
    for (const other of [undefined, { ...due, settings: off }]) {
      expect(settleVectors(other, at, { space: 'model', done }).result).toEqual({ kind: 'unwanted' })
    }
  })

  it('is retried with backoff, given up after eight failures, and due again when a look-up lacks vectors', () => {
    let account = due
    const pauses: (number | undefined)[] = []
    for (let tries = 0; tries < 8; tries += 1) {
      account = postponeVectors(account, at).next as Account
      pauses.push(account.vectorsDueAt === null ? undefined : (account.vectorsDueAt.getTime() - at.getTime()) / 1_000)
    }
    expect(pauses).toEqual([30, 60, 120, 240, 480, 960, 1_920, undefined])
    expect(lacksVectors(account, 'model')).toBe(true)
    expect(reviveVectors(account, at, 'model').next).toMatchObject({ vectorsDueAt: at, vectors: { tries: 0 } })
    expect(lacksVectors(due, 'model')).toBe(false)
    expect([lacksVectors(whole('One'), 'model'), lacksVectors(whole('One'), 'other')]).toEqual([false, true])
    expect(reviveVectors(whole('One'), at, 'model').next).toBeUndefined()
  })
})
