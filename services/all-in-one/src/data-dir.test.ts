import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '@parley/kit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDataDir, readDataDir } from './data-dir.ts'

/** As root, other users may traverse it, but not list it. */
const folderMode = process.getuid?.() === 0 ? 0o711 : 0o700

let outer: string
let folder: string
let lines: { readonly msg: string }[]
beforeEach(async () => {
  outer = await mkdtemp(join(tmpdir(), 'parley-data-dir-'))
  folder = join(outer, 'data')
  lines = []
})
afterEach(() => rm(outer, { recursive: true }))

const open = () =>
  openDataDir(folder, createLogger('test', 'info', { write: (line: string) => lines.push(JSON.parse(line)) }))
const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777

const secretFiles = (): string[] => ['auth-secrets', 'chat-secrets'].map((name) => join(folder, name))

describe.skipIf(process.platform === 'win32')('the data directory', () => {
  it('is created so that no other user can list it or read its secrets, without a warning', async () => {
    await open()
    expect(await Promise.all([folder, ...secretFiles()].map(modeOf))).toEqual([folderMode, 0o600, 0o600])
    expect(lines).toEqual([])
  })

  it('that was open to other users is restricted with its secrets and mail, and each path is logged once', async () => {
    const { secrets } = await open()
    const files = [join(folder, 'postgres-url'), ...secretFiles()]
    await writeFile(join(folder, 'postgres-url'), 'postgres://')
    await mkdir(join(folder, 'inbox'))
    for (const path of [folder, join(folder, 'inbox')]) await chmod(path, 0o755)
    for (const path of files) await chmod(path, 0o644)
    expect((await open()).secrets).toEqual(secrets)
    expect(await Promise.all([folder, join(folder, 'inbox'), ...files].map(modeOf))).toEqual([
      folderMode,
      0o700,
      0o600,
      0o600,
      0o600,
    ])
    expect(lines.map(({ msg }) => msg)).toEqual([
      `${folder} was open to other users of this machine (mode 755): now restricted to mode ${folderMode.toString(8)}`,
      ...[join(folder, 'inbox'), ...files].map((path) => expect.stringContaining(`${path} was open to other users`)),
    ])
    await open()
    expect(lines).toHaveLength(5)
  })

  it('of a version with one shared secret keeps that as the second secret of each service, and its file is removed', async () => {
    await mkdir(folder, { mode: 0o700 })
    const former = 'f'.repeat(64)
    await writeFile(join(folder, 'internal-secret'), former)
    const { secrets } = await open()
    const [ofAuth, ofChat] = [secrets.AUTH_SECRETS, secrets.CHAT_SECRETS]
    expect([ofAuth, ofChat]).toEqual([
      [expect.stringMatching(/^[0-9a-f]{64}$/), former],
      [expect.stringMatching(/^[0-9a-f]{64}$/), former],
    ])
    expect(ofAuth[0]).not.toBe(ofChat[0])
    await expect(stat(join(folder, 'internal-secret'))).rejects.toThrow('ENOENT')
    expect((await open()).secrets).toEqual(secrets)
  })

  it('keeps stricter permissions of its owner', async () => {
    await mkdir(folder, { mode: 0o700 })
    await open()
    expect(await modeOf(folder)).toBe(0o700)
    for (const file of secretFiles()) expect(await readFile(file, 'utf8')).toMatch(/^[0-9a-f]{64}$/)
    expect(lines).toEqual([])
  })

  it('keeps the shared secret of an earlier version while a new file cannot be read', async () => {
    await mkdir(join(folder, 'chat-secrets'), { recursive: true })
    const former = join(folder, 'internal-secret')
    await writeFile(former, 'f'.repeat(64))
    await expect(open()).rejects.toThrow('EISDIR')
    await rm(join(folder, 'chat-secrets'), { recursive: true })
    const { secrets } = await open()
    expect([secrets.AUTH_SECRETS[1], secrets.CHAT_SECRETS[1]]).toEqual(['f'.repeat(64), 'f'.repeat(64)])
    await expect(stat(former)).rejects.toThrow('ENOENT')
  })

  it('contains nothing but complete secrets once it is created', async () => {
    await open()
    expect(await readdir(folder)).toEqual(['auth-secrets', 'chat-secrets'])
  })

  it('with a database, but without one of its secrets, is refused with the file and how to continue, which works', async () => {
    const { secrets } = await open()
    await mkdir(join(folder, 'postgres/cluster'), { recursive: true })
    const lost = join(folder, 'chat-secrets')
    await rm(lost)
    const refusal = `${lost} is missing, and the data in ${folder} is sealed with it: restore that file from a backup`
    await expect(open()).rejects.toMatchObject({ code: 'DATA_DIR', message: expect.stringContaining(refusal) })
    await expect(open()).rejects.toThrow(`openssl rand -hex 32 > "${lost}"`)
    await expect(readDataDir(folder)).rejects.toThrow(refusal)
    await writeFile(lost, `${'a'.repeat(64)}\n`)
    expect((await open()).secrets.AUTH_SECRETS).toEqual(secrets.AUTH_SECRETS)
  })

  it.each(['', 'short'])('whose secret file contains “%s” is refused until that is removed', async (content) => {
    await mkdir(folder)
    const file = join(folder, 'auth-secrets')
    await writeFile(file, content)
    await expect(open()).rejects.toThrow(`${file} contains no valid secret: remove it and start again`)
    await rm(file)
    await open()
  })

  it('in which a restore was interrupted is refused, and has no secrets of a new Parley', async () => {
    await mkdir(join(folder, '.restoring'), { recursive: true })
    await expect(open()).rejects.toThrow(`${join(folder, '.restoring')} belongs to a restore`)
    expect(await readdir(folder)).toEqual(['.restoring'])
  })

  it('is not changed by reading it, even that of an earlier version which is open to other users', async () => {
    await mkdir(join(folder, 'postgres'), { recursive: true })
    const former = join(folder, 'internal-secret')
    await writeFile(former, 'f'.repeat(64))
    await chmod(former, 0o644)
    const { secrets } = await readDataDir(folder)
    expect(secrets).toEqual({ AUTH_SECRETS: ['f'.repeat(64)], CHAT_SECRETS: ['f'.repeat(64)] })
    expect([await readdir(folder), await modeOf(former)]).toEqual([['internal-secret', 'postgres'], 0o644])
  })
})
