import { expect, it, vi } from 'vitest'
import { createExtrasStore, type DraftExtras, extrasActions, noExtras, parseExtras } from './draft-extras.ts'

const file = {
  id: 'f1',
  type: 'image',
  mimeType: 'image/png',
  url: '/api/chat/files/f1',
  name: 'a.png',
  size: 12,
  detail: 'auto',
} as const

function memoryStorage() {
  const entries = new Map<string, string>()
  return {
    entries,
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  }
}

it('draft extras are kept per chat over a reload, and removed when empty', () => {
  const storage = memoryStorage()
  const before = createExtrasStore(() => storage, 'x:')
  before.change('a', (now) => ({ ...now, attachments: [file], modes: ['study'] }))
  const after = createExtrasStore(() => storage, 'x:')
  expect(after.read('a')).toEqual({ ...noExtras, attachments: [file], modes: ['study'] })
  expect(after.read('b')).toEqual(noExtras)
  before.change('b', (now) => ({ ...now, image: true }))
  expect(createExtrasStore(() => storage, 'x:').read('b').image).toBe(true)
  before.change('b', () => noExtras)
  after.change('a', () => noExtras)
  expect(storage.entries.size).toBe(0)
})

it('draft extras are the same object until a change, which is announced', () => {
  const store = createExtrasStore(memoryStorage, 'x:')
  const heard = vi.fn()
  const end = store.subscribe(heard)
  expect(store.read('a')).toBe(store.read('a'))
  store.change('a', (now) => ({ ...now, image: true }))
  end()
  store.change('a', (now) => ({ ...now, image: false }))
  expect(heard).toHaveBeenCalledTimes(1)
})

it('draft extras ignore damaged storage', () => {
  expect(parseExtras('{"broken')).toEqual(noExtras)
  expect(parseExtras('[1]')).toEqual(noExtras)
  const raw = JSON.stringify({
    attachments: [file, { id: 1 }, null],
    modes: ['finance', 'nonsense'],
    pasted: [3, 'ok'],
  })
  expect(parseExtras(raw)).toEqual({ attachments: [file], modes: ['finance'], pasted: ['ok'], image: false })
})

it('draft extras are kept in memory where storage is forbidden', () => {
  const forbidden = () => {
    throw new Error('Forbidden')
  }
  const store = createExtrasStore(() => ({ getItem: forbidden, setItem: forbidden, removeItem: forbidden }), 'x:')
  store.change('a', (now) => ({ ...now, modes: ['webSearch'] }))
  expect(store.read('a').modes).toEqual(['webSearch'])
})

it('a mode is switched on and off, and ends the image mode', () => {
  let now: DraftExtras = { ...noExtras, image: true, modes: ['study'] }
  const { toggleMode } = extrasActions((next) => {
    now = next(now)
  })
  toggleMode('finance')
  expect(now).toMatchObject({ image: false, modes: ['study', 'finance'] })
  toggleMode('study')
  expect(now.modes).toEqual(['finance'])
})
