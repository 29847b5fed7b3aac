import { spawn } from 'node:child_process'

const longestReason = 600

/**
 * Runs a program until it exits.
 * @returns its standard output
 * @throws Error with the program's name and the end of its output, if it is missing, fails, or exceeds `timeoutMs`
 */
export function runProgram(
  file: string,
  args: readonly string[],
  { cwd, timeoutMs = 300_000 }: { readonly cwd?: string; readonly timeoutMs?: number } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    // Node's own timeout would keep this process alive if the program is missing.
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
    let output = ''
    let said = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk
      said = (said + chunk).slice(-longestReason)
    })
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + chunk).slice(-longestReason)
    })
    child.on('error', (cause: NodeJS.ErrnoException) => {
      clearTimeout(timer)
      const why = cause.code === 'ENOENT' ? 'is not installed' : `does not start (${cause.message})`
      reject(new Error(`${file} ${why}`, { cause }))
    })
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      if (code === 0) return resolve(output)
      const end = signal === null ? `ended with ${code}` : `took longer than ${timeoutMs / 1000} s`
      reject(new Error(`${file} ${end}: ${plain(said)}`))
    })
  })
}

/** Removes colours and line breaks, for a list of reasons. */
const plain = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes begin with an escape.
    .replaceAll(/\u001b\[[0-9;]*m/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
