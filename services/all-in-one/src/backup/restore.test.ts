import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { embeddedPostgresVersion } from '@parley/db/embedded'
import { createLogger } from '@parley/kit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import yazl from 'yazl'
import { manifestPath, parleyVersion } from './manifest.ts'
import { restore } from './restore.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-restore-'))
})
afterEach(() => rm(folder, { recursive: true }))

const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex')
const target = () => join(folder, 'target')

/** Writes a backup whose only file is `auth-secrets`. @param files of its manifest */
async function backupOf(files: Record<string, string>): Promise<string> {
  const zip = new yazl.ZipFile()
  zip.addBuffer(Buffer.from('secret'), 'auth-secrets')
  const postgres = await embeddedPostgresVersion()
  const manifest = { format: 1, parley: parleyVersion, postgres, startedAt: '', files }
  zip.addBuffer(Buffer.from(JSON.stringify(manifest)), manifestPath)
  zip.end()
  const file = join(folder, 'backup.zip')
  await pipeline(zip.outputStream, createWriteStream(file))
  return file
}
const restoreFrom = (file: string, signal = new AbortController().signal) =>
  restore({ file, dataDir: target(), log: createLogger('test', 'silent'), signal })

it.each([
  ['with another content than was backed up', { 'auth-secrets': sumOf('other') }, 'checksum of auth-secrets'],
  ['without one of its files', { 'auth-secrets': sumOf('secret'), 'chat-secrets': '' }, 'chat-secrets is missing'],
])('an intact ZIP %s is refused, and nothing is left of it', async (_what, files, reason) => {
  await expect(restoreFrom(await backupOf(files))).rejects.toThrow(reason)
  expect(await readdir(target())).toEqual([])
})

it('a restore that is aborted leaves the folder empty', async () => {
  const file = await backupOf({ 'auth-secrets': sumOf('secret') })
  await expect(restoreFrom(file, AbortSignal.abort(new Error('interrupted')))).rejects.toThrow('interrupted')
  expect(await readdir(target())).toEqual([])
})

describe('a folder in which a restore was interrupted', () => {
  const draft = () => join(target(), '.restoring')
  beforeEach(() => mkdir(draft(), { recursive: true }))

  /** The number of a process that has ended. */
  const endedPid = (): number => spawnSync(process.execPath, ['--version']).pid

  it.each([
    ['by a process that has ended', () => String(endedPid())],
    ['by an earlier process with the number of this one, as in a container', () => String(process.pid)],
    ['before it named its process', () => ''],
  ])('%s counts as empty, and its draft is removed', async (_what, pid) => {
    await mkdir(join(target(), 'lost+found'))
    await writeFile(join(draft(), 'restore.pid'), pid())
    await writeFile(join(draft(), 'auth-secrets'), 'former')
    await expect(restoreFrom(await backupOf({ 'auth-secrets': '' }))).rejects.toThrow('checksum of auth-secrets')
    expect(await readdir(target())).toEqual(['lost+found'])
  })

  it('is refused while its process restores, which is named with its folder', async () => {
    await writeFile(join(draft(), 'restore.pid'), String(process.ppid))
    const refusal = `${draft()} belongs to process ${process.ppid}, which is restoring into it`
    await expect(restoreFrom(await backupOf({}))).rejects.toThrow(refusal)
    expect(await readdir(draft())).toEqual(['restore.pid'])
  })

  it('is refused with other data beside it, all of which is named', async () => {
    await writeFile(join(target(), 'auth-secrets'), '')
    await expect(restoreFrom(await backupOf({}))).rejects.toThrow('is not empty (it contains .restoring, auth-secrets)')
  })
})
