import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { coverage } from '../src/evidence/index.ts'
import { faultsOf } from '../src/judge.ts'
import { requirements } from '../src/requirements.ts'
import { tableOf, tablePath } from '../src/table.ts'
import { testTitlesOf } from '../src/test-titles.ts'

const root = join(import.meta.dirname, '../../..')

describe('the requirements', () => {
  it('are each covered by an existing test that runs', () => {
    const promised = Object.values(requirements).flatMap((section) => Object.keys(section))
    expect(Object.keys(coverage).toSorted()).toEqual(promised.toSorted())
    expect(promised.length).toBeGreaterThan(100)
    expect(faultsOf(root, coverage)).toEqual([])
  })

  it('match the generated table', () => {
    expect(readFileSync(join(root, tablePath), 'utf8')).toBe(tableOf(root))
  })
})

describe('a requirement', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-spec-'))
    const source = `
      import { describe, it, test } from 'vitest'
      it('runs', () => {})
      describe('twice', () => { it('same', () => {}); test('same', () => {}) })
      describe.skip('asleep', () => { it('inside', () => {}) })
      it.skip('skipped', () => {})
      it.todo('to do')
      test.skipIf(process.platform === 'win32')('sometimes', () => {})
      it('optional', { skip: true }, () => {})
      it.each([1])('row %i', () => {})
      describe.each([['a']])('group %s', () => { it.each<[number]>([[1]])('typed', () => {}) })
      // it('commented out', () => {})
      console.log('printed')
    `
    writeFileSync(join(folder, 'a.test.ts'), source)
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it.each([
    ['same', 'several tests'],
    ['inside', 'does not always run'],
    ['skipped', 'does not always run'],
    ['to do', 'does not always run'],
    ['sometimes', 'does not always run'],
    ['optional', 'does not always run'],
    ['commented out', 'has no test'],
    ['printed', 'has no test'],
    ['run', 'has no test'],
  ])('is not covered by a test “%s”', (title, fault) => {
    expect(faultsOf(folder, { promise: [`a.test.ts › ${title}`] })).toEqual([expect.stringContaining(fault)])
  })

  it('is not covered by an empty list, or by a test in a missing file', () => {
    expect(faultsOf(folder, { promise: [] })).toEqual(['promise: no test'])
    expect(faultsOf(folder, { promise: ['b.test.ts › runs'] })).toEqual([expect.stringContaining('no file')])
  })

  it.each(['runs', 'row %i', 'typed'])('is covered by a test “%s”', (title) => {
    expect(faultsOf(folder, { promise: [`a.test.ts › ${title}`] })).toEqual([])
  })
})

it('a test is read with the titles of its groups', () => {
  const source = "describe('a', () => { describe.each([1])('b', () => { it('c', () => {}) }) })"
  expect(testTitlesOf(source)).toEqual([{ title: 'c', within: ['a', 'b'], runs: true }])
})
