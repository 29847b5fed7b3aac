import { expect, it } from 'vitest'
import { forget, remember, remove, restorableMs, suggest } from './account.ts'
import { importedId, importMemories } from './import-memories.ts'

const at = new Date(0)
const entries = [{ key: 'a', fileId: undefined, id: 'imported' }]

it('an import restores a deleted memory only while it can be restored, and only if deleted ones are included', () => {
  const stored = remember(undefined, { ownerId: 'u', at }, { key: 'a', id: 'a' }).next
  const deleted = remove(stored, { at }, 'a').next
  const outcome = (afterMs: number, includeRemoved: boolean) =>
    importMemories(deleted, { ownerId: 'u', at: new Date(afterMs) }, entries, includeRemoved).result.outcomes
  expect(outcome(restorableMs - 1, true)).toEqual(['imported'])
  expect(outcome(restorableMs, true)).toEqual(['removed'])
  expect(outcome(0, false)).toEqual(['removed'])
})

it('an import brings a forgotten memory back only if removed ones are included, and decides its suggestion', () => {
  const stored = remember(undefined, { ownerId: 'u', at }, { key: 'a', id: 'imported' }).next
  const forgotten = forget(stored, 'imported').next
  const suggested = suggest(forgotten, { ownerId: 'u', at }, [{ key: 'a', id: 'suggested', isMerge: false }]).next
  const read = (includeRemoved: boolean) => importMemories(suggested, { ownerId: 'u', at }, entries, includeRemoved)
  expect(read(false)).toMatchObject({ result: { outcomes: ['removed'], replaced: [] } })
  const { result, next } = read(true)
  expect(result).toMatchObject({ outcomes: ['imported'], replaced: ['suggested'] })
  expect([next?.stored, next?.pending, next?.forgotten]).toEqual([{ a: 'imported' }, {}, []])
})

it('the id of an imported memory is always the same, and another one for each owner', () => {
  expect(importedId('u', 'mark')).toBe(importedId('u', 'mark'))
  expect(importedId('u', 'mark')).not.toBe(importedId('v', 'mark'))
})

it('ids such as every object has are those of no deleted memory', () => {
  const ids = ['constructor', '__proto__', 'toString']
  const named = ids.map((id) => ({ key: `key of ${id}`, fileId: id, id: `new ${id}` }))
  const { result, next } = importMemories(undefined, { ownerId: 'u', at }, named, false)
  expect(result.outcomes).toEqual(['imported', 'imported', 'imported'])
  for (const id of ids) expect(forget(next, id).result).toBe(false)
})
