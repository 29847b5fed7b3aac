import { expect, it } from 'vitest'
import { remember, remove, restorableMs } from './account.ts'
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
