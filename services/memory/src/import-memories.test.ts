import { expect, it } from 'vitest'
import { forget, remember, remove, restorableMs } from './account.ts'
import { importMemories } from './import-memories.ts'

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

it('ids such as every object has are those of no deleted memory', () => {
  const ids = ['constructor', '__proto__', 'toString']
  const named = ids.map((id) => ({ key: `key of ${id}`, fileId: id, id: `new ${id}` }))
  const { result, next } = importMemories(undefined, { ownerId: 'u', at }, named, false)
  expect(result.outcomes).toEqual(['imported', 'imported', 'imported'])
  for (const id of ids) expect(forget(next, id).result).toBe(false)
})
