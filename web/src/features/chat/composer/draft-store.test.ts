import { expect, it } from 'vitest'
import type { TextStorage } from '../../../shared/session/index.ts'
import { createDraftStore } from './draft-store.ts'

function memoryStorage(): TextStorage & { entries: Map<string, string> } {
  const entries = new Map<string, string>()
  return {
    entries,
    getItem: (key) => entries.get(key) ?? null,
    setItem: (key, value) => void entries.set(key, value),
    removeItem: (key) => void entries.delete(key),
  }
}

it('the draft store keeps one draft per chat over a reload', () => {
  const storage = memoryStorage()
  const before = createDraftStore(() => storage, 'draft:')
  before.write('a', 'for a')
  before.write('b', 'for b')
  const after = createDraftStore(() => storage, 'draft:')
  expect([after.read('a'), after.read('b'), after.read('c')]).toEqual(['for a', 'for b', ''])
})

it('the draft store removes an empty draft', () => {
  const storage = memoryStorage()
  const drafts = createDraftStore(() => storage, 'draft:')
  drafts.write('a', 'x')
  drafts.write('a', '')
  expect(storage.entries.size).toBe(0)
  expect(drafts.read('a')).toBe('')
})

it('the draft store works in memory when storage is full or forbidden', () => {
  const refuse = () => {
    throw new DOMException('no', 'QuotaExceededError')
  }
  const drafts = createDraftStore(() => ({ getItem: refuse, setItem: refuse, removeItem: refuse }), 'draft:')
  drafts.write('a', 'kept')
  expect(drafts.read('a')).toBe('kept')
  expect(drafts.read('b')).toBe('')
})
