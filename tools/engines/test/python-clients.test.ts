import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { providePythonClients } from '../src/python-clients.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-python-'))
  vi.stubEnv('PARLEY_CACHE', join(folder, 'cache'))
  vi.stubEnv('TEST_WITHOUT', '')
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

/** A fake Python with scripted answers. */
async function given(told: { readonly itself?: string; readonly venv?: string; readonly pip?: string }): Promise<void> {
  const { itself = 'echo /usr 3.13', venv = 'mkdir -p "$3/bin" && cp "$0" "$3/bin/python"', pip = 'true' } = told
  const program = join(folder, 'python')
  await writeFile(
    program,
    `#!/bin/sh\ncase "$1 $2" in\n"-m venv") ${venv} ;;\n"-m pip") ${pip} ;;\n*) ${itself} ;;\nesac\n`,
  )
  await chmod(program, 0o755)
  vi.stubEnv('PYTHON', program)
}
const kept = () => readdir(join(folder, 'cache/engines')).catch(() => [])

test('an environment with the Python clients is created once per Python', async () => {
  await given({ pip: `echo "$@" >> ${folder}/installed` })
  const place = await providePythonClients()
  expect(place).toMatch(/\/python-[0-9a-f]+\/bin\/python$/)
  await given({ pip: 'exit 1' })
  expect(await providePythonClients()).toBe(place)
  await given({ itself: 'echo /usr 3.14' })
  expect(await providePythonClients()).not.toBe(place)
  expect(await kept()).toHaveLength(2)
})

test.each([
  ['no Python', {}, /^\/nowhere\/python3 is not installed$/],
  [
    'a Python that is too old',
    { itself: 'echo "needs Python 3.9 or newer" >&2; exit 1' },
    /needs Python 3\.9 or newer/,
  ],
  ['a Python without venv', { venv: 'echo "No module named venv" >&2; exit 1' }, /No module named venv/],
  ['a pip that cannot fetch', { pip: 'echo "No matching distribution" >&2; exit 1' }, /No matching distribution/],
])('providing Python clients with %s rejects with the reason, and leaves nothing', async (_, told, reason) => {
  await given(told)
  if (Object.keys(told).length === 0) vi.stubEnv('PYTHON', '/nowhere/python3')
  await expect(providePythonClients()).rejects.toThrow(reason)
  expect(await kept()).toEqual([])
})

test('Python clients in TEST_WITHOUT are not tried', async () => {
  await given({})
  vi.stubEnv('TEST_WITHOUT', 'kafka,python')
  await expect(providePythonClients()).rejects.toThrow('excluded by TEST_WITHOUT')
})
