// Runs on the machine's own Node before anything is installed: installs the dependencies of the lockfile and, with --web, builds the SPA.
// Skips both if nothing has changed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bin = join(root, 'node_modules/.bin')

/** Runs a command, and shows its output only if it fails. */
function run(command, args) {
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, TURBO_TELEMETRY_DISABLED: '1' }
  const result = spawnSync(command, args, { cwd: root, env, encoding: 'utf8', shell: process.platform === 'win32' })
  if (result.status !== 0) fail(result.error?.message ?? `${result.stdout}${result.stderr}`, result.status ?? 1)
}

/** Prints the error and exits with a code. */
function fail(said, code) {
  console.error(said)
  // The system's message names neither the disk nor a remedy.
  if (/ENOSPC|no space left on device/i.test(said)) {
    console.error(`The disk that holds ${root} is full: free some space and start again`)
  }
  process.exit(code)
}

const lockfile = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex')
const stamp = join(root, 'node_modules/.parley-installed')
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lockfile) {
  console.log('Installing dependencies…')
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'])
  try {
    writeFileSync(stamp, lockfile)
  } catch (error) {
    fail(error.message, 1)
  }
}

if (process.argv.includes('--web')) {
  run(join(bin, 'turbo'), ['run', 'build', '--filter=@parley/web'])
}
