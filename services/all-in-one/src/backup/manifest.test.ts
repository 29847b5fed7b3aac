import { expect, it } from 'vitest'
import { refusalOf } from './manifest.ts'

const manifest = { format: 1 as const, parley: '0.4.2', postgres: '18', startedAt: '', files: {} }

it.each(['0.4.2', '0.4.3', '0.10.0', '1.0.0'])('a backup of version 0.4.2 is restored by version %s', (parley) => {
  expect(refusalOf(manifest, { parley, postgres: '18' })).toBeUndefined()
})

it.each(['0.4.1', '0.3.9'])(
  'a backup of version 0.4.2 is refused by version %s, with both versions named',
  (parley) => {
    expect(refusalOf(manifest, { parley, postgres: '18' })).toBe(
      `it was made by Parley 0.4.2, and this is ${parley}: restore it with that version or a newer one`,
    )
  },
)

it('a backup with files of another major version of PostgreSQL is refused', () => {
  expect(refusalOf(manifest, { parley: '1.0.0', postgres: '19' })).toContain(
    'PostgreSQL 18, but this Parley ships PostgreSQL 19',
  )
})
