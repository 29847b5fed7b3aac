import { randomBytes } from 'node:crypto'
import { contributeToExport, createIdentityCodec, type ExportFile, jsonLines, newId } from '@parley/kit'
import { collect, type FakeExports, startFakeExports } from '@parley/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'

const identity = createIdentityCodec('a secret of at least 32 characters')
const mebibyte = 1024 * 1024

let auth: FakeExports
beforeEach(async () => {
  auth = await startFakeExports('chat', identity)
})
afterEach(() => auth.close())

const contribute = (files: Iterable<ExportFile> | AsyncIterable<ExportFile>, exportId = 'export') =>
  contributeToExport({ client: auth.client, service: 'chat', exportId, newId }, files)

it('brings files of any size to the byte, in calls of at most 4 MB that are counted', async () => {
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

it('brings thousands of small files', async () => {
  const files = Array.from({ length: 2_345 }, (_, index) => ({ path: `chats/${index}.md`, content: [`chat ${index}`] }))
  await contribute(files)
  expect(auth.filesOf('export')?.size).toBe(2_345)
})

it('reads nothing for an export that nobody waits for', async () => {
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

it('stops reading when another run has begun, and is done', async () => {
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

it('fails while auth is away, and begins anew with another run', async () => {
  auth.refusals.push(503)
  await expect(contribute([{ path: 'a', content: ['a'] }])).rejects.toMatchObject({ code: 'unavailable' })
  await contribute([{ path: 'a', content: ['a'] }])
  expect([...(auth.filesOf('export') ?? [])]).toEqual([['a', Buffer.from('a')]])
})

it('begins nothing when it is told to stop', async () => {
  const stopping = new AbortController()
  stopping.abort(new Error('stopping'))
  const told = { client: auth.client, service: 'chat', exportId: 'export', newId, signal: stopping.signal } as const
  await expect(contributeToExport(told, [])).rejects.toThrow('stopping')
  expect(auth.calls).toEqual([])
})

it('writes rows as JSON', async () => {
  const written = async (rows: unknown[]) => (await collect(jsonLines(rows))).join('')
  expect(await written([])).toBe('[]\n')
  expect(JSON.parse(await written([{ a: 1 }, 'b']))).toEqual([{ a: 1 }, 'b'])
})
