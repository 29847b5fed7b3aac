import { randomBytes } from 'node:crypto'
import { contributeToExport, type ExportFile, jsonLines, newId } from '@parley/kit'
import { collect, type FakeExports, startFakeExports, testIdentity } from '@parley/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'

const identity = testIdentity()
const mebibyte = 1024 * 1024

let auth: FakeExports
beforeEach(async () => {
  auth = await startFakeExports('chat', identity)
})
afterEach(() => auth.close())

const contribute = (files: Iterable<ExportFile> | AsyncIterable<ExportFile>, exportId = 'export') =>
  contributeToExport({ client: auth.client, service: 'chat', exportId, newId }, files)

it('a data export uploads files of any size to the byte, in counted calls of at most 4 MB', async () => {
  const large = randomBytes(7 * mebibyte + 3)
  const long = `${'ö'.repeat(mebibyte)}!`
  await contribute([
    { path: 'empty', content: [] },
    { path: 'files/large.bin', content: [large.subarray(0, 5), large.subarray(5)] },
    { path: 'long.txt', content: ['ö'.repeat(mebibyte), '!'] },
  ])
  expect(auth.filesOf('export')).toEqual(
    new Map([
      ['empty', Buffer.alloc(0)],
      ['files/large.bin', large],
      ['long.txt', Buffer.from(long)],
    ]),
  )
  const sizes = auth.calls.map(({ pieces }) =>
    pieces.reduce((sum, { data }) => sum + Buffer.byteLength(data, 'base64'), 0),
  )
  expect(Math.max(...sizes)).toBeLessThanOrEqual(4 * mebibyte)
  expect(auth.calls.map(({ call }) => call)).toEqual(sizes.map((_size, index) => index))
  expect(new Set(auth.calls.map(({ run }) => run)).size).toBe(1)
  expect(auth.calls.map(({ last }) => last)).toEqual([...sizes.slice(1).map(() => false), true])
})

it('a data export uploads thousands of small files', async () => {
  const files = Array.from({ length: 2_345 }, (_, index) => ({ path: `chats/${index}.md`, content: [`chat ${index}`] }))
  await contribute(files)
  expect(auth.filesOf('export')?.size).toBe(2_345)
})

it('a data export that was cancelled reads nothing', async () => {
  auth.refusals.push(404)
  const read: string[] = []
  await contribute(
    (function* (): Generator<ExportFile> {
      read.push('a file')
      yield { path: 'a', content: ['a'] }
    })(),
  )
  expect([read, auth.calls]).toEqual([[], []])
})

it('a data export stops when a later run has begun', async () => {
  const read: number[] = []
  await contribute(
    (function* (): Generator<ExportFile> {
      for (let nth = 0; nth < 50; nth += 1) {
        if (nth === 10) auth.refusals.push(404)
        read.push(nth)
        yield { path: `${nth}`, content: [Buffer.alloc(mebibyte)] }
      }
    })(),
  )
  expect(read.length).toBeLessThan(20)
  expect(auth.filesOf('export')).toBeUndefined()
})

it('a data export fails while auth is unavailable, and starts over with the next run', async () => {
  auth.refusals.push(503)
  await expect(contribute([{ path: 'a', content: ['a'] }])).rejects.toMatchObject({ code: 'unavailable' })
  await contribute([{ path: 'a', content: ['a'] }])
  expect([...(auth.filesOf('export') ?? [])]).toEqual([['a', Buffer.from('a')]])
})

it('a stopped data export starts nothing', async () => {
  const stopping = new AbortController()
  stopping.abort(new Error('stopping'))
  const told = { client: auth.client, service: 'chat', exportId: 'export', newId, signal: stopping.signal } as const
  await expect(contributeToExport(told, [])).rejects.toThrow('stopping')
  expect(auth.calls).toEqual([])
})

it('a data export writes rows as JSON', async () => {
  const written = async (rows: unknown[]) => (await collect(jsonLines(rows))).join('')
  expect(await written([])).toBe('[]\n')
  expect(JSON.parse(await written([{ a: 1 }, 'b']))).toEqual([{ a: 1 }, 'b'])
})
