import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileCache } from '@parley/engines/compile-cache'
import { guard } from '@parley/engines/guard'
import { adminPassword, type System, type SystemOptions } from './system-kinds.ts'

const readyLine = 'Parley is ready at'
const root = join(import.meta.dirname, '../../..')

/** Starts the whole of Parley in one process, as `npm start` does. */
export async function startAllInOneSystem(options: SystemOptions): Promise<System> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'parley-e2e-')))
  const child = spawn(join(root, 'node_modules/.bin/node'), ['services/all-in-one/src/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: environmentOf(dataDir, options),
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  // Kills the process when the run is cut short, even if the run itself was killed.
  void ended.then(guard('kill "$1"', [String(child.pid)]))
  const output = await readUntilReady(child, ended)
  const end = (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    return ended
  }
  return {
    url: found(output, /Parley is ready at (\S+)/),
    inboxUrl: found(output, /Inbox: +(\S+)/),
    admin: { username: 'admin', password: adminPassword },
    dataDir,
    stop: () => end('SIGTERM'),
    kill: async () => {
      await end('SIGKILL')
    },
    async dispose() {
      await end('SIGTERM')
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

function environmentOf(dataDir: string, options: SystemOptions): NodeJS.ProcessEnv {
  const provider = options.provider && {
    DEEPSEEK_BASE_URL: options.provider,
    DEEPSEEK_API_KEY: 'a key of the fake provider',
  }
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_COMPILE_CACHE: compileCache,
    // Lets a run test another build of the web application.
    WEB_DIR: process.env.WEB_DIR,
    PORT: '0',
    INBOX_PORT: '0',
    DATA_DIR: dataDir,
    ADMIN_PASSWORD: adminPassword,
    ...provider,
    ...options.environment,
  }
}

async function readUntilReady(child: ChildProcess, ended: Promise<number | null>): Promise<string> {
  let output = ''
  const ready = new Promise<void>((resolve) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      if (output.includes(readyLine)) {
        // Server errors, such as the stack behind a 500, belong in the test's output.
        process.stderr.write(chunk)
        return
      }
      output += chunk.toString()
      if (output.includes(readyLine)) resolve()
    })
  })
  await Promise.race([
    ready,
    ended.then((code) => {
      throw new Error(`Exited with ${code} before it was ready:\n${output}`)
    }),
  ])
  return output
}

function found(output: string, pattern: RegExp): string {
  const match = pattern.exec(output)?.[1]
  if (match === undefined) throw new Error(`${pattern} not found in:\n${output}`)
  return match
}
