import { expect, it } from 'vitest'
import { csvText } from './csv.ts'

const text = async (columns: readonly string[], ...pages: object[][]) => {
  const pieces: string[] = []
  for await (const piece of csvText({ name: 'list', columns, pages })) pieces.push(piece)
  return pieces
}

it('a table has a header, ends lines with CR LF, and quotes commas, quotes and line breaks', async () => {
  const rows = [
    { a: 'x,y', b: 'say "hi"' },
    { a: 'one\ntwo', b: 7, c: 'not asked for' },
  ]
  expect((await text(['a', 'b'], rows)).join('')).toBe('a,b\r\n"x,y","say ""hi"""\r\n"one\ntwo",7\r\n')
})

it('a text that a spreadsheet would execute is prefixed with an apostrophe, and a number is not', async () => {
  const cells = ['=1+1', '+1', '-1', '@SUM(A1)', '=a,"b"', '\t=1', '\r=1', '|x', 'a=b', -1]
  const [file] = await text(
    ['a'],
    cells.map((a) => ({ a })),
  )
  expect(file).toBe(`a\r\n'=1+1\r\n'+1\r\n'-1\r\n'@SUM(A1)\r\n"'=a,""b"""\r\n'\t=1\r\n"'\r=1"\r\n'|x\r\na=b\r\n-1\r\n`)
})

it('a nested value is JSON in one cell, and a missing one is an empty cell', async () => {
  const [file] = await text(['a', 'b', 'c'], [{ a: { b: 'c' }, b: null }])
  expect(file).toBe('a,b,c\r\n"{""b"":""c""}",,\r\n')
})

it('a table is produced page by page, and an empty one is only its header', async () => {
  expect(await text(['a'], [{ a: 1 }], [], [{ a: 2 }])).toEqual(['a\r\n1\r\n', '2\r\n'])
  expect(await text(['a'])).toEqual(['a\r\n'])
})
