// Runs on whatever Node the machine has, before anything is installed: installs what the lockfile says and, with --web, builds the SPA.
// Both are skipped when nothing changed, so that a second start takes no time.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

function run(command, args) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (result.status !== 0) process.exit(result.status ?? 1)
}

function filesUnder(path) {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .filter((name) => name !== 'node_modules' && name !== 'dist')
    .sort()
    .flatMap((name) => filesUnder(join(path, name)))
}

function fingerprint(paths) {
  const hash = createHash('sha256')
  for (const file of paths.flatMap((path) => filesUnder(join(root, path))))
    hash.update(file.slice(root.length)).update(readFileSync(file))
  return hash.digest('hex')
}

/** Does `work` unless the stamp of the last success, kept beside what it made, has the same fingerprint. */
function unlessDone(stamp, inputs, work) {
  const now = fingerprint(inputs)
  const file = join(root, stamp)
  if (existsSync(file) && readFileSync(file, 'utf8') === now) return
  work()
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, now)
}

unlessDone('node_modules/.parley-installed', ['package.json', 'package-lock.json'], () => {
  console.log('Installing dependencies…')
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'])
})

if (process.argv.includes('--web')) {
  unlessDone('web/dist/.parley-built', ['web', 'packages/contracts', 'package-lock.json'], () => {
    console.log('Building the web application…')
    run(join(root, 'node_modules/.bin/node'), ['node_modules/vite/bin/vite.js', 'build', 'web', '--logLevel', 'warn'])
  })
}
