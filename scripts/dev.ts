import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

const bin = (name: string): string => join(import.meta.dirname, '../node_modules/.bin', name)

/** `npm run dev`: restarts all-in-one when a service changes; Vite serves the SPA with hot reload and proxies `/api`. */
const children: ChildProcess[] = [
  spawn(bin('node'), ['--watch', '--watch-preserve-output', 'services/all-in-one/src/main.ts'], {
    stdio: 'inherit',
    // The origins of Vite.
    env: { EXTRA_ORIGINS: 'http://localhost:5173,http://127.0.0.1:5173', ...process.env },
  }),
  spawn(bin('vite'), ['web', '--port', '5173'], { stdio: 'inherit' }),
]

/** If one ends, stop the other. */
const stop = (): void => {
  for (const child of children) child.kill('SIGTERM')
}
process.on('SIGINT', stop).on('SIGTERM', stop)
for (const child of children) child.on('exit', stop)
