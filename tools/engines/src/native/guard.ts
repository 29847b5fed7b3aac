import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'

/**
 * Ensures cleanup even if this process is killed: a shell waits for the end of a pipe that only this process holds open.
 * @param command run then by `sh -c`, with `args` as `$1`, `$2`…
 * @returns a function that cancels it
 */
export function guard(command: string, args: readonly string[]): () => void {
  // In its own process group, so that Ctrl-C in the terminal does not kill it, too.
  const shell = spawn('/bin/sh', ['-c', `cat >/dev/null; ${command}`, 'sh', ...args], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  shell.unref()
  const pipe = shell.stdin as Socket
  pipe.unref()
  // When cancelled, the shell exits before this process closes the pipe.
  pipe.on('error', () => undefined)
  return () => void shell.kill('SIGKILL')
}
