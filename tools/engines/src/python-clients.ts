import { join } from 'node:path'
import { readEngineConfig } from './config.ts'
import { provision, readRecipe, recipeFile } from './native/provision.ts'
import { runProgram } from './native/run-program.ts'

const recipe = 'python-clients.txt'
/** Says which Python it is, and fails where it has not what an environment is made of. */
const describeItself = `
import sys
if sys.version_info < (3, 9):
    sys.exit("needs Python 3.9 or newer, this is " + sys.version)
import ensurepip, venv
print(sys.base_prefix, sys.version)
`
const quick = { timeoutMs: 60_000 }

/**
 * The interpreter of an environment that has the clients of the recipe and nothing else of the machine's: made by `PYTHON`, filled by its pip as the
 * machine has set pip up, and kept for later runs.
 * @throws Error that says why there is none
 */
export async function providePythonClients(): Promise<string> {
  const { PYTHON: python, TEST_WITHOUT: without } = readEngineConfig()
  if (without.includes('python')) throw new Error('known not to be had')
  const [itself, ...clients] = await Promise.all([
    runProgram(python, ['-c', describeItself], quick),
    readRecipe([recipe]),
  ])
  // One that has been replaced would leave its environments behind without a standard library.
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
