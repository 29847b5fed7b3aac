import { lstatSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openSocketFolder } from './socket-folder.ts'

let temporary: string
beforeEach(() => {
  temporary = mkdtempSync(join(realpathSync(tmpdir()), 'sockets-'))
  vi.stubEnv('TMPDIR', temporary)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(temporary, { recursive: true })
})

it('a socket folder is made once per key, for its owner only', () => {
  const folder = openSocketFolder('/data') ?? ''
  expect(lstatSync(folder).mode & 0o777).toBe(0o700)
  expect(openSocketFolder('/data')).toBe(folder)
  expect(openSocketFolder('/other')).not.toBe(folder)
})

it.runIf(process.getuid?.() === 0)('a socket folder belongs to the user whose programs listen there', () => {
  const owner = { uid: 4_242, gid: 4_242 }
  const folder = openSocketFolder('/data', owner) ?? ''
  expect(lstatSync(folder)).toMatchObject(owner)
  // Made by another user meanwhile, who could read and replace its sockets.
  expect(openSocketFolder('/data')).toBeUndefined()
})

it('there is no socket folder where others may enter it, or where it is a link', () => {
  const name = basename(openSocketFolder('/data') ?? '')
  const folder = join(temporary, name)
  rmSync(folder, { recursive: true })
  mkdirSync(folder, { mode: 0o755 })
  expect(openSocketFolder('/data')).toBeUndefined()
  rmSync(folder, { recursive: true })
  mkdirSync(join(temporary, 'own'), { mode: 0o700 })
  symlinkSync(join(temporary, 'own'), folder)
  expect(openSocketFolder('/data')).toBeUndefined()
})

it('there is no socket folder where its path is too long for sockets, or where nothing can be made', () => {
  const deep = join(temporary, 'x'.repeat(80))
  mkdirSync(deep)
  vi.stubEnv('TMPDIR', deep)
  expect(openSocketFolder('/data')).toBeUndefined()
  vi.stubEnv('TMPDIR', join(temporary, 'missing'))
  expect(openSocketFolder('/data')).toBeUndefined()
})
