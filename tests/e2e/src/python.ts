import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { providePythonClients } from '@parley/engines/python-clients'
import type { TestContext } from 'vitest'

const run = promisify(execFile)
let interpreter: Promise<string> | undefined

/**
 * Runs a program of `src/python/` that imports the clients for Python. Where they cannot be had its test is skipped and says why: they are no part of the product.
 * @returns what it printed
 * @throws Error with what it complained about
 */
export async function runPython(
  skip: TestContext['skip'],
  [file, ...args]: readonly [string, ...string[]],
  cwd?: string,
): Promise<string> {
  interpreter ??= providePythonClients()
  const python = await interpreter.catch((error: Error) => skip(`not run: python: ${error.message}`))
  const { stdout } = await run(python, [join(import.meta.dirname, 'python', file), ...args], { cwd })
  return stdout.trim()
}
