import type { OwnFile } from '@parley/contracts'
import { expect, it } from 'vitest'
import { suggestFiles } from './own-files.ts'

const file = (id: string, name: string, parts: Partial<OwnFile> = {}): OwnFile => ({
  ...{ id, name, type: 'image', mimeType: 'image/png', url: `/api/chat/files/${id}`, size: 412_000, detail: 'high' },
  createdAt: '2020-05-03T10:00:00.000Z',
  ...parts,
})
const named = (files: readonly OwnFile[], word: string) => suggestFiles(files, word, 'en').map((each) => each.word)

it('file suggestions contain the word in their names, in any case and Unicode normalization, in their order', () => {
  const files = [file('a', 'Plan 2.png'), file('b', 'cat.png'), file('c', 'floorPLAN.png'), file('d', 'Café.png')]
  expect(named(files, '')).toEqual(['Plan 2.png', 'cat.png', 'floorPLAN.png', 'Café.png'])
  expect(named(files, 'plan')).toEqual(['Plan 2.png', 'floorPLAN.png'])
  expect(named(files, 'CAFE\u0301')).toEqual(['Café.png'])
  expect(named(files, '123')).toEqual([])
})

it('a file is suggested once, and the number of suggestions is limited', () => {
  const many = Array.from({ length: 20 }, (_, nth) => file(`f${nth}`, `${nth}.png`))
  expect(named([...many, ...many], '')).toHaveLength(8)
  expect(named([...many.slice(0, 2), ...many.slice(0, 2)], '')).toEqual(['0.png', '1.png'])
})

it('a suggested file shows its kind, size and day', () => {
  const pdf = file('a', 'a.pdf', { type: 'file', mimeType: 'application/pdf' })
  expect(suggestFiles([pdf], '', 'en')[0]).toMatchObject({
    ...{ key: 'a', type: 'file', file: pdf },
    description: '\u2068PDF\u2069 · \u2068412 kB\u2069 · \u2068May 3, 2020\u2069',
  })
})
