import { expect, it } from 'vitest'
import type { TextStorage } from '../../../../shared/session/index.ts'
import { newAnswer } from '../state/thread-message.ts'
import { createGuestThreadStore } from './guest-thread.ts'

function storageWith(entry: string | null): TextStorage & { entry: string | null } {
  const storage = {
    entry,
    getItem: () => storage.entry,
    setItem: (_key: string, value: string) => {
      storage.entry = value
    },
    removeItem: () => {
      storage.entry = null
    },
  }
  return storage
}

it('a stored guest thread is restored with its running answer', () => {
  const storage = storageWith(null)
  const store = createGuestThreadStore(() => storage, 'k')
  const thread = { messages: [newAnswer('a', 'v3', 0, 'm1')], generating: 'm1' }
  store.write(thread)
  expect(store.read()).toEqual(thread)
})

it('an empty guest thread is not stored', () => {
  const storage = storageWith('{"messages":[],"generating":null}')
  createGuestThreadStore(() => storage, 'k').write({ messages: [], generating: null })
  expect(storage.entry).toBeNull()
})

it.each(['', '{', 'null', '[]', '{"messages":1}', '{"messages":[{"key":1}]}'])(
  'the stored value %j is not read as a guest thread',
  (entry) => {
    expect(createGuestThreadStore(() => storageWith(entry), 'k').read()).toBeNull()
  },
)
