import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { providePythonClients } from '@parley/engines/python-clients'
import type { TestContext } from 'vitest'

const execute = promisify(execFile)
const programs = join(import.meta.dirname, 'python')
let interpreter: Promise<string> | undefined

/** Runs a program of `src/python/` to its end and resolves to what it printed. @throws Error with what it complained about */
type RunPython = (program: readonly [file: string, ...args: string[]], cwd?: string) => Promise<string>

/** A Python with the clients for it. Where they cannot be had the test is skipped and says why: they are no part of the product. */
export async function openPython(skip: TestContext['skip']): Promise<RunPython> {
  interpreter ??= providePythonClients()
  const python = await interpreter.catch((error: Error) => skip(`not run: python: ${error.message}`))
  return async ([file, ...args], cwd) => {
    const { stdout } = await execute(python, [join(programs, file), ...args], { cwd })
    return stdout.trim()
  }
}
