import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { NativeEngine, NativeOptions } from './native-engine.ts'
import { ask, atFreePort } from './ports.ts'
import { provision } from './provision.ts'
import { runProgram } from './run-program.ts'
import { openServer } from './server-process.ts'

/** A Redis with a built-in client for single commands. */
export interface NativeRedis extends NativeEngine {
  /**
   * @param words such as `['CONFIG', 'SET', 'maxmemory', '1mb']`
   * @returns the first line of the reply
   * @throws with the server's error
   */
  command(words: readonly string[]): Promise<string>
}

/**
 * A Redis without persistence: the machine's own program, or else Debian's package, unpacked into the cache without installing it.
 * @throws Error with the reason why it is unavailable
 */
export async function startNativeRedis({ folder, port }: NativeOptions): Promise<NativeRedis> {
  const program = await findRedis()
  await mkdir(folder, { recursive: true })
  return atFreePort(port, async (at) => {
    const place = ['--bind', '127.0.0.1', '--port', String(at), '--dir', folder]
    const engine = await openServer({
      name: 'redis',
      url: `redis://127.0.0.1:${at}`,
      folder,
      command: [...program, ...place, '--save', '', '--appendonly', 'no'],
      says: 'Ready to accept connections',
    })
    // Not a spread, which would freeze the value of the `pid` getter.
    return Object.assign(engine, { command: (words: readonly string[]) => command(at, words) })
  })
}

async function command(port: number, words: readonly string[]): Promise<string> {
  const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`)
  const answer = await ask(port, `*${words.length}\r\n${parts.join('')}`)
  const [line = ''] = answer.slice(1).split('\r\n')
  if (answer.startsWith('-')) throw new Error(line)
  return line
}

/** The command that runs Redis. */
async function findRedis(): Promise<[string, ...string[]]> {
  const missing = await runProgram('redis-server', ['--version'], { timeoutMs: 10_000 }).catch((error: Error) => error)
  if (typeof missing === 'string') return ['redis-server']
  const root = await provision('redis', ['debian', process.arch], unpackFromDebian).catch((cause: Error) => {
    throw new Error(`${missing.message}, and Debian's package is unavailable: ${cause.message}`, { cause })
  })
  const libraries = await foldersOfLibraries(root)
  return ['env', `LD_LIBRARY_PATH=${libraries.join(':')}`, join(root, 'usr/bin/redis-server')]
}

/** Unpacks the package and its missing dependencies. Installing them would start the distribution's own server. */
async function unpackFromDebian(draft: string): Promise<void> {
  const packages = await listPackages().catch(async (error: Error) => {
    // A fresh image has no package lists yet; only root may fetch them.
    if (process.getuid?.() !== 0 || error.message.includes('is not installed')) throw error
    await runProgram('apt-get', ['update', '-qq'])
    return listPackages()
  })
  await runProgram('apt-get', ['download', '-qq', '-o', 'APT::Sandbox::User=root', ...packages], { cwd: draft })
  for (const file of await readdir(draft)) {
    if (file.endsWith('.deb')) await runProgram('dpkg', ['-x', join(draft, file), draft])
  }
}

async function listPackages(): Promise<string[]> {
  const plan = await runProgram('apt-get', [
    'install',
    '--print-uris',
    '-qq',
    '-y',
    '--no-install-recommends',
    'redis-server',
  ])
  // 'http://…' name_version_architecture.deb size checksum
  const needed = [...plan.matchAll(/^'[^']*' ([^_\s]+)_/gm)].map((match) => match[1] as string)
  return [...new Set(['redis-server', 'redis-tools', ...needed])]
}

async function foldersOfLibraries(root: string): Promise<string[]> {
  const parents = ['lib', 'usr/lib'].map((folder) => join(root, folder)).filter((folder) => existsSync(folder))
  const below = await Promise.all(
    parents.map(async (parent) => {
      const entries = await readdir(parent, { withFileTypes: true })
      return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(parent, name))
    }),
  )
  return [...parents, ...below.flat()]
}
