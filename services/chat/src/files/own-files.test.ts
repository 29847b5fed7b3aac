import { describe, expect, it } from 'vitest'
import type { FileMeta, FilePlace } from '../store/file-store.ts'
import { type FilesRequest, listFiles } from './own-files.ts'

const at = (nth: number) => new Date(Date.UTC(2030, 0, 1) - nth * 1_000)

/** A store of files of one owner with these names, the newest first, that counts what is read. */
function given(names: readonly string[]) {
  const kept = names.map(
    (name, nth) => ({ id: `f${nth}`, name, createdAt: at(nth), mimeType: 'image/png' }) as FileMeta,
  )
  let read = 0
  const sent = async (_ownerId: string, after: FilePlace | undefined, limit: number) => {
    const from = after === undefined ? 0 : kept.findIndex(({ id }) => id === after.id) + 1
    const some = kept.slice(from, from + limit)
    read += some.length
    return some
  }
  const page = async (request: Partial<FilesRequest> = {}) => {
    const { files, nextCursor } = await listFiles({ sent }, 'owner', { limit: 2, ...request })
    return { names: files.map(({ name }) => name), nextCursor }
  }
  return { page, read: () => read }
}

describe('the list of files', () => {
  it('continues after the last file of a page, and ends', async () => {
    const { page } = given(['a', 'b', 'c', 'd'])
    const first = await page()
    expect(first).toEqual({ names: ['a', 'b'], nextCursor: expect.any(String) })
    expect(await page({ cursor: first.nextCursor ?? '' })).toEqual({ names: ['c', 'd'], nextCursor: null })
  })

  it('has the files whose names contain every word of a search, in any case and Unicode form', async () => {
    const { page } = given(['Plan of the HOUSE.pdf', 'house.png', 'Cafe\u0301.png', 'plan.png'])
    expect((await page({ query: ' house  PLAN ' })).names).toEqual(['Plan of the HOUSE.pdf'])
    expect((await page({ query: 'CAFÉ' })).names).toEqual(['Café.png'.normalize('NFD')])
    expect(await page({ query: 'nothing' })).toEqual({ names: [], nextCursor: null })
  })

  it('returns every match of a search once, in pages that may be empty, and scans a bounded number of names per page', async () => {
    const names = Array.from({ length: 2_500 }, (_, nth) => (nth % 1_200 === 1_100 ? `match ${nth}` : `other ${nth}`))
    const { page, read } = given(names)
    const found: string[] = []
    let cursor: string | undefined
    for (let pages = 1; ; pages += 1) {
      const { names: some, nextCursor } = await page({ query: 'match', cursor })
      expect(read()).toBeLessThanOrEqual(pages * 1_000)
      found.push(...some)
      if (nextCursor === null) break
      cursor = nextCursor
    }
    expect(found).toEqual(['match 1100', 'match 2300'])
  })

  it('refuses a cursor that it did not issue', async () => {
    await expect(given([]).page({ cursor: 'x' })).rejects.toMatchObject({ code: 'validation_failed' })
  })
})
