import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { unzip } from '@parley/testing/unzip'
import { expect, it } from 'vitest'
import { zipOf } from './export-zip.ts'

const time = new Date('2030-01-01T12:00:00Z')
const of = (path: string, ...pieces: string[]) => ({
  path,
  content: async function* () {
    yield* pieces.map((piece) => Buffer.from(piece))
  },
})

it('a ZIP contains files in order, including empty ones and names in any script', async () => {
  const zip = await buffer(zipOf([of('b/ö.md', 'one ', 'two'), of('empty'), of('a.png', 'three')], time))
  expect([...(await unzip(zip))].map(([path, bytes]) => [path, bytes.toString()])).toEqual([
    ['b/ö.md', 'one two'],
    ['empty', ''],
    ['a.png', 'three'],
  ])
})

it('a ZIP compresses text and stores images uncompressed', async () => {
  const words = 'again and again '.repeat(10_000)
  expect((await buffer(zipOf([of('a.md', words)], time))).length).toBeLessThan(words.length / 50)
  expect((await buffer(zipOf([of('a.png', words)], time))).length).toBeGreaterThan(words.length)
})

it.each(['a.png', 'a.json'])('a ZIP is created no faster than %s is read', async (path) => {
  let read = 0
  const content = async function* () {
    for (; read < 1_000; read += 1) yield crypto.getRandomValues(Buffer.alloc(65_536))
  }
  const zip = zipOf([{ path, content }], time)
  await once(zip, 'readable')
  for (let nth = 0; nth < 2_000; nth += 1) await turn()
  expect(read).toBeLessThan(50)
  zip.destroy()
})

it('a ZIP can contain thousands of files', async () => {
  const zip = await buffer(
    zipOf(
      Array.from({ length: 5_000 }, (_, nth) => of(`${nth}.md`, `file ${nth}`)),
      time,
    ),
  )
  const files = await unzip(zip)
  expect([files.size, String(files.get('4999.md'))]).toEqual([5_000, 'file 4999'])
})

it('a ZIP fails if a file cannot be read, instead of ending early', async () => {
  const broken = {
    path: 'b',
    content: async function* () {
      yield Buffer.from('begun')
      throw new Error('the database is unavailable')
    },
  }
  await expect(buffer(zipOf([of('a', 'whole'), broken], time))).rejects.toThrow('the database is unavailable')
})
