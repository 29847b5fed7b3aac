import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mountSmallDisk } from '@parley/testing'
import { afterEach, expect, it } from 'vitest'

const undo: (() => void)[] = []
afterEach(() => {
  for (const step of undo.splice(0).toReversed()) step()
})

/** A function that prepares a repository in a folder, with a fake `npm`. */
function givenRepository(folder: string, npm: string) {
  const programs = mkdtempSync(join(tmpdir(), 'parley-npm-'))
  undo.push(() => rmSync(programs, { recursive: true }))
  writeFileSync(join(programs, 'npm'), `#!/bin/sh\n${npm}\n`)
  chmodSync(join(programs, 'npm'), 0o755)
  const script = join(folder, 'scripts/prepare.mjs')
  for (const part of ['scripts', 'node_modules']) mkdirSync(join(folder, part))
  copyFileSync(fileURLToPath(new URL('prepare.mjs', import.meta.url)), script)
  writeFileSync(join(folder, 'package-lock.json'), '{}')
  const env = { ...process.env, PATH: [programs, dirname(process.execPath), process.env.PATH].join(delimiter) }
  return () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [script], { env, encoding: 'utf8' })
    return [status, stdout, stderr]
  }
}

const installing = 'Installing dependencies…\n'
const advice = (folder: string): string => `The disk that holds ${folder} is full: free some space and start again\n`

it("an installation on a full disk exits with npm's output, the folder on the disk and what to do", () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-prepare-'))
  undo.push(() => rmSync(folder, { recursive: true }))
  const prepare = givenRepository(folder, 'echo "npm error ENOSPC: no space left on device, write" >&2; exit 28')
  expect(prepare()).toEqual([28, installing, `npm error ENOSPC: no space left on device, write\n\n${advice(folder)}`])
})

it('an installation that cannot record its success on a full disk exits with the folder and what to do, and is repeated', ({
  skip,
}) => {
  const disk = mountSmallDisk() ?? skip('a disk that can be filled takes the rights of root')
  undo.push(disk.close)
  const prepare = givenRepository(disk.folder, 'exit 0')
  disk.fill()
  expect(prepare()).toEqual([1, installing, `ENOSPC: no space left on device, write\n${advice(disk.folder)}`])
  disk.empty()
  expect(prepare()).toEqual([0, installing, ''])
  expect(prepare()).toEqual([0, '', ''])
})
