import { join } from 'node:path'
import { readEngineConfig } from './config.ts'
import { provision, readRecipe, recipeFile } from './native/provision.ts'
import { runProgram } from './native/run-program.ts'

const recipe = 'python-clients.txt'
/** Prints the Python's identity, and fails if it cannot create environments. */
const describeItself = `
import sys
if sys.version_info < (3, 9):
    sys.exit("needs Python 3.9 or newer, this is " + sys.version)
import ensurepip, venv
print(sys.base_prefix, sys.version)
`
const quick = { timeoutMs: 60_000 }

/**
 * The interpreter of an isolated virtual environment with the recipe's clients: created by `PYTHON`, filled by its pip with the machine's
 * configuration, and cached for later runs.
 * @throws Error with the reason why it is unavailable
 */
export async function providePythonClients(): Promise<string> {
  const { PYTHON: python, TEST_WITHOUT: without } = readEngineConfig()
  if (without.includes('python')) throw new Error('excluded by TEST_WITHOUT')
  const [itself, ...clients] = await Promise.all([
    runProgram(python, ['-c', describeItself], quick),
    readRecipe([recipe]),
  ])
  // The interpreter is part of the key, because replacing it breaks its environments.
  const place = await provision('python', [itself, ...clients.flat()], async (draft) => {
    await runProgram(python, ['-m', 'venv', draft])
    await runProgram(join(draft, 'bin/python'), [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--requirement',
      recipeFile(recipe),
    ])
  })
  return join(place, 'bin/python')
}
