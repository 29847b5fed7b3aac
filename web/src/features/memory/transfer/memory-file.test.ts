import type { MemoryImportOutcome } from '@parley/contracts'
import { describe, expect, it } from 'vitest'
import { importEntries, readEntries } from './memory-file.ts'

describe('a file of memories', () => {
  it('is read from a list or a page, without fields that are not imported and including texts slightly too long', () => {
    const entry = {
      id: 'a',
      text: 'I like tea',
      category: 'general',
      history: [{ text: 'x' }],
      source: { chatId: 'c' },
    }
    for (const file of [[entry], { items: [entry], nextCursor: null }]) {
      expect(readEntries(JSON.stringify(file))).toEqual([{ id: 'a', text: 'I like tea', category: 'general' }])
    }
    const [long, none] = readEntries(JSON.stringify([{ text: 'x'.repeat(9_000) }, 'text'])) ?? []
    expect([String(long?.text).length, none]).toEqual([2_001, null])
  })

  it.each(['', 'no JSON', '{}', 'null', '"text"'])('is rejected without a list: %j', (text) => {
    expect(readEntries(text)).toBeUndefined()
  })

  it('is sent in parts whose results are added up, with each error at its place in the file', async () => {
    const sizes: number[] = []
    const progress: number[] = []
    const entries = Array.from({ length: 1_201 }, (_, nth) => ({ text: `${nth}` }))
    const send = async (part: readonly unknown[]): Promise<MemoryImportOutcome> => {
      sizes.push(part.length)
      const faults = [{ entry: 1, path: 'text', message: 'No' }]
      return { imported: part.length - 1, known: 0, removed: 0, full: 0, faults }
    }
    const came = await importEntries(entries, send, (done) => progress.push(done))
    expect([sizes, progress, came.imported]).toEqual([[500, 500, 201], [0, 500, 1_000], 1_198])
    expect(came.faults.map(({ entry }) => entry)).toEqual([1, 501, 1_001])
  })
})
