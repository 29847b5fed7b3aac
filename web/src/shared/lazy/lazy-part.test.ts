import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { earlyPart, prepareParts } from './lazy-part.ts'

let idle: (() => void)[]
beforeEach(() => {
  idle = []
  vi.stubGlobal('requestIdleCallback', (act: () => void) => idle.push(act))
  vi.stubGlobal('cancelIdleCallback', (id: number) => {
    idle[id - 1] = () => undefined
  })
})
afterEach(() => void vi.unstubAllGlobals())

/** Early parts, and the names of those that were imported. */
function givenParts(...names: string[]): string[] {
  const imported: string[] = []
  for (const name of names) {
    earlyPart(async () => {
      imported.push(name)
      if (name === 'failing') throw new Error('offline')
      return () => null
    })
  }
  return imported
}

it('early parts are imported one per idle period, also after one that fails', async () => {
  const imported = givenParts('first', 'failing', 'last')
  prepareParts()
  for (const expected of [['first'], ['first', 'failing'], ['first', 'failing', 'last']]) {
    idle.at(-1)?.()
    expect(imported).toEqual(expected)
  }
  idle.at(-1)?.()
  expect(idle).toHaveLength(4)
})

it('early parts are not imported once that was cancelled, between two of them either', () => {
  const imported = givenParts('first', 'second')
  const cancel = prepareParts()
  idle.at(-1)?.()
  cancel()
  idle.at(-1)?.()
  expect(imported).toEqual(['first'])
  prepareParts()
  idle.at(-1)?.()
  expect(imported).toEqual(['first', 'second'])
})
