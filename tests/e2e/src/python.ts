import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { providePythonClients } from '@parley/engines/python-clients'
import type { TestContext } from 'vitest'

const execute = promisify(execFile)
const programs = join(import.meta.dirname, 'python')
let interpreter: Promise<string> | undefined

/** Runs a program of `src/python/` and resolves to its output. @throws Error with its stderr */
type RunPython = (program: readonly [file: string, ...args: string[]], cwd?: string) => Promise<string>

/** A Python with the client libraries. Skips the test, with the reason, where they cannot be installed: they are not part of the product. */
export async function openPython(skip: TestContext['skip']): Promise<RunPython> {
  interpreter ??= providePythonClients()
  const python = await interpreter.catch((error: Error) => skip(`not run: python: ${error.message}`))
  return async ([file, ...args], cwd) => {
    const { stdout } = await execute(python, [join(programs, file), ...args], { cwd })
    return stdout.trim()
  }
}
