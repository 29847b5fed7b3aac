import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

const bin = (name: string): string => join(import.meta.dirname, '../node_modules/.bin', name)

/** The all-in-one restarts when a service changes; Vite serves the SPA with hot reload and passes `/api` on. */
const children: ChildProcess[] = [
  spawn(bin('node'), ['--watch', '--watch-preserve-output', 'services/all-in-one/src/main.ts'], {
    stdio: 'inherit',
    // Where Vite serves the page.
    env: { EXTRA_ORIGINS: 'http://localhost:5173,http://127.0.0.1:5173', ...process.env },
  }),
  spawn(bin('vite'), ['web', '--port', '5173'], { stdio: 'inherit' }),
]

/** The one that ends takes the other along. */
const stop = (): void => {
  for (const child of children) child.kill('SIGTERM')
}
process.on('SIGINT', stop).on('SIGTERM', stop)
for (const child of children) child.on('exit', stop)
