import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const sources = join(import.meta.dirname, '../src')
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-commands-'))
})
afterEach(() => rm(folder, { recursive: true }))

function run(program: string, args: readonly string[], dataDir: string): Promise<{ code: unknown; output: string }> {
  const env = { ...process.env, DATA_DIR: dataDir, LOG_LEVEL: 'silent' }
  return new Promise((settle) => {
    execFile(process.execPath, [join(sources, program), ...args], { env }, (error, stdout, stderr) =>
      settle({ code: error?.code ?? 0, output: stdout + stderr }),
    )
  })
}

describe('an operator’s command', () => {
  it.each([
    ['admin.ts', ['reset-password', 'ada']],
    ['dead-letters.ts', ['list']],
  ])('%s on a folder without data says so, and leaves nothing there', async (program, args) => {
    const { code, output } = await run(program, args, folder)
    expect(output).toBe(`${folder} contains no Parley data: set DATA_DIR to the folder that npm start uses\n`)
    expect(code).toBe(1)
    expect(await readdir(folder)).toEqual([])
  })

  it.each([[['--users', 'many']], [['--user', '5']], [['5']]])(
    'seed with the arguments %j shows its usage',
    async (args) => {
      expect(await run('seed/main.ts', args, folder)).toEqual({
        code: 1,
        output: 'Usage: npm run seed -- --users <a whole number from 1 to 10000000>\n',
      })
    },
  )

  it('on data that lost a secret names the file and the remedy, and leaves no new secret there', async () => {
    await mkdir(join(folder, 'postgres/cluster'), { recursive: true })
    const refusal = `${join(folder, 'auth-secrets')} is missing, and the data in ${folder} is sealed with it`
    const file = join(folder, 'parley.zip')
    const ended = [await run('backup/main.ts', [file], folder), await run('main.ts', [], folder)]
    for (const { code, output } of ended) {
      expect([code, output.split('\n')]).toEqual([1, [expect.stringContaining(refusal), '']])
    }
    expect((await run('doctor/main.ts', [], folder)).output).toContain(`WRONG data: ${refusal}`)
    expect(await readdir(folder)).toEqual(['postgres'])
  })

  it('doctor reports a DATA_DIR that is a file, or within one', async () => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    for (const dataDir of [file, join(file, 'data')]) {
      const { code, output } = await run('doctor/main.ts', [], dataDir)
      expect(output).toContain(`WRONG data: ${file} is not a folder\n`)
      expect(code).toBe(1)
    }
  })
})
