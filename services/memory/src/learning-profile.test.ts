import { describe, expect, it } from 'vitest'
import { profileOf } from './learning-profile.ts'
import { type Account, newAccount, type StoredSettings } from './store/documents.ts'

type Changes = Omit<Partial<Account>, 'settings'> & { readonly settings?: Partial<StoredSettings> }

/** The profile of an account that has decided and stored nothing else. */
const profileWith = ({ settings, ...changes }: Changes) => {
  const account = newAccount('u')
  return profileOf({ ...account, ...changes, settings: { ...account.settings, ...settings } }, [], () => undefined)
}
const adviceFor = (changes: Changes) => profileWith(changes).recommendations.map(({ id }) => id)
const ids = (count: number) => Object.fromEntries(Array.from({ length: count }, (_none, nth) => [`k${nth}`, `m${nth}`]))
/** Of an account that needs no advice for want of memories. */
const some = { stored: ids(1) }

it.each([
  [0, 0, 'beginner'],
  [5, 4, 'beginner'],
  [5, 5, 'intermediate'],
  [0, 49, 'intermediate'],
  [50, 0, 'advanced'],
  [100, 99, 'advanced'],
  [100, 100, 'expert'],
])('%i approved and %i rejected suggestions make a level: %s', (approved, rejected, level) => {
  expect(profileWith({ approved, rejected }).learningLevel).toBe(level)
})

it('keywords are those of the latest memories, as far as these are read', () => {
  const latest = ['bristol harbour', ...Array<string>(200).fill('filler '.repeat(200)), 'ancient']
  const { topKeywords } = profileOf(newAccount('u'), latest, () => undefined)
  expect(topKeywords).toContainEqual({ word: 'bristol', count: 1 })
  expect(topKeywords).not.toContainEqual({ word: 'ancient', count: 1 })
})

it('rates are shares of what was decided and seen, and none is over 1', () => {
  expect(profileWith({ approved: 3, rejected: 1, seen: 6 })).toMatchObject({ accuracy: 0.75, approvalRate: 0.5 })
  expect(profileWith({ approved: 3, seen: 2 })).toMatchObject({ accuracy: 1, approvalRate: 1 })
  expect(profileWith({})).toMatchObject({ accuracy: 0, approvalRate: 0 })
})

describe('advice', () => {
  it.each<[what: string, Changes, readonly string[]]>([
    ['an empty account', {}, ['first-memory']],
    ['an account with a memory', some, []],
    ['memory that is off', { settings: { enabled: false } }, ['enable-memory']],
    ['detection that is off', { ...some, settings: { autoDetection: false } }, ['enable-detection']],
    ['four waiting suggestions', { pending: ids(4) }, []],
    ['five waiting suggestions', { pending: ids(5) }, ['review-suggestions']],
    ['half of ten approved', { ...some, approved: 5, rejected: 5 }, []],
    ['fewer than half of ten approved', { ...some, approved: 4, rejected: 6 }, ['raise-threshold']],
    ['none of nine approved', { ...some, rejected: 9 }, []],
    ['the highest threshold', { ...some, rejected: 10, settings: { confidenceThreshold: 'high' } }, []],
    ['nine of ten approved', { ...some, approved: 9, rejected: 1 }, ['lower-threshold']],
    ['eight of ten approved', { ...some, approved: 8, rejected: 2 }, []],
    ['the lowest threshold', { ...some, approved: 10, settings: { confidenceThreshold: 'low' } }, []],
    ['49 memories', { stored: ids(49) }, []],
    ['50 memories', { stored: ids(50) }, ['enable-consolidation']],
    ['50 memories that are consolidated', { stored: ids(50), settings: { autoConsolidation: true } }, []],
  ])('for %s', (_what, changes, advice) => {
    expect(adviceFor(changes)).toEqual(advice)
  })

  it('to turn a category off is given once five of it were dismissed and none approved', () => {
    const decided = (approved: number, rejected: number) => ({
      ...some,
      decided: { technical: { approved, rejected } },
    })
    expect(adviceFor(decided(0, 4))).toEqual([])
    expect(adviceFor(decided(0, 5))).toEqual(['turn-off-technical'])
    expect(adviceFor(decided(1, 5))).toEqual([])
    expect(adviceFor({ ...decided(0, 5), settings: { categoriesOff: ['technical'] } })).toEqual([])
  })
})
