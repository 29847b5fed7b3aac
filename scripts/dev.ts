import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

/** Watches: the all-in-one restarts when a service changes, and Vite serves the SPA with hot reload, passing /api on. */
const bin = (name: string): string => join(import.meta.dirname, '../node_modules/.bin', name)
const children: ChildProcess[] = [
  spawn(bin('node'), ['--watch', '--watch-preserve-output', 'services/all-in-one/src/main.ts'], { stdio: 'inherit' }),
  spawn(bin('vite'), ['web', '--port', '5173'], { stdio: 'inherit' }),
]

const stop = (): void => {
  for (const child of children) child.kill('SIGTERM')
}
process.on('SIGINT', stop).on('SIGTERM', stop)
for (const child of children) child.on('exit', stop)
