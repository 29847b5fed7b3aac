import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { embeddedPostgresVersion } from '@parley/db/embedded'
import { createLogger } from '@parley/kit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import yazl from 'yazl'
import { manifestPath, parleyVersion } from './manifest.ts'
import { restore } from './restore.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-restore-'))
})
afterEach(() => rm(folder, { recursive: true }))

const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex')

it.each([
  ['with another content than was backed up', { 'auth-secrets': sumOf('other') }, 'checksum of auth-secrets'],
  ['without one of its files', { 'auth-secrets': sumOf('secret'), 'chat-secrets': '' }, 'chat-secrets is missing'],
])('an intact ZIP %s is refused, and nothing is left of it', async (_what, files, reason) => {
  const zip = new yazl.ZipFile()
  zip.addBuffer(Buffer.from('secret'), 'auth-secrets')
  const postgres = await embeddedPostgresVersion()
  const manifest = { format: 1, parley: parleyVersion, postgres, startedAt: '', files }
  zip.addBuffer(Buffer.from(JSON.stringify(manifest)), manifestPath)
  zip.end()
  const [file, dataDir] = [join(folder, 'backup.zip'), join(folder, 'target')]
  await pipeline(zip.outputStream, createWriteStream(file))
  await expect(restore({ file, dataDir, log: createLogger('test', 'silent') })).rejects.toThrow(reason)
  expect(await readdir(dataDir)).toEqual([])
})
