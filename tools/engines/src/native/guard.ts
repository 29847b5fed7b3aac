import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'

/**
 * Sees to it that a process does not outlive this one, however this one ends: a shell waits for the end of a pipe that only we hold open.
 * @param command what it runs then, by `sh -c`, with `args` as `$1`, `$2`…
 * @returns how to call it off
 */
export function guard(command: string, args: readonly string[]): () => void {
  // A group of its own, so that Ctrl-C in the terminal leaves it time to do its work.
  const shell = spawn('/bin/sh', ['-c', `cat >/dev/null; ${command}`, 'sh', ...args], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  shell.unref()
  const pipe = shell.stdin as Socket
  pipe.unref()
  // Called off, it is gone before we let go of the pipe.
  pipe.on('error', () => undefined)
  return () => void shell.kill('SIGKILL')
}
