import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const source = join(import.meta.dirname, '../..')
const readAll = (folder: string, ending: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => ending.test(path) && !path.includes('.test.'))
    .map((path) => readFileSync(join(folder, path), 'utf8'))

const ids = readAll(join(source, 'locales/en'), /\.json$/).flatMap((text) => Object.keys(JSON.parse(text)))
const code = readAll(source, /\.tsx?$/).join('\n')
// Ids made of a fixed prefix and a name, as in `history.${group}`; the compiler checks the name.
const beginnings = [...code.matchAll(/`([a-z]+(?:\.[A-Za-z]+)*\.)\$\{/g)].map(([, beginning]) => beginning ?? '')
const areas = new Set(ids.map((id) => id.split('.')[0]))

it('the catalog has no unused text', () => {
  const isUsed = (id: string): boolean =>
    code.includes(`'${id}'`) || code.includes(`"${id}"`) || beginnings.some((beginning) => id.startsWith(beginning))
  expect(ids.filter((id) => !isUsed(id))).toEqual([])
})

it('the catalog has every text that the code uses', () => {
  const asked = [...code.matchAll(/\b(?:t|Trans|T)\(\s*'([a-z]+\.[\w.]+)'/g)].map(([, id]) => id ?? '')
  expect(asked.length).toBeGreaterThan(50)
  expect(asked.filter((id) => areas.has(id.split('.')[0] ?? '') && !ids.includes(id))).toEqual([])
})
