import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { ConfigError, readConfig, secrets } from '../src/index.ts'

const schema = z.object({
  PORT: z.coerce.number().int().default(8080),
  SECRET: z.string().min(32, 'is too short'),
  URL: z.url(),
})
const good = { SECRET: 's'.repeat(32), URL: 'http://localhost' }

describe('readConfig', () => {
  it('fills in defaults, also for an empty variable', () => {
    expect(readConfig(schema, { ...good, PORT: '' }).PORT).toBe(8080)
  })
  it('reports every fault at once and no value', () => {
    const read = () => readConfig(schema, { PORT: 'eighty', SECRET: 'hunter2' })
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(/PORT[\s\S]*SECRET: is too short[\s\S]*URL/)
    expect(read).not.toThrow(/hunter2/)
  })
  it('says of a missing variable that it must be set', () => {
    const numbered = schema.extend({ PORT: z.coerce.number() })
    expect(() => readConfig(numbered, { ...good, URL: '' })).toThrow(
      /wrong:\n {2}PORT: must be set\n {2}URL: must be set$/,
    )
  })
  it('reads a secret from a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'config-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'secret'), `${good.SECRET}\n`)
    expect(readConfig(schema, { URL: good.URL, SECRET_FILE: join(folder, 'secret') }).SECRET).toBe(good.SECRET)
  })
  it('reads a secret and the former ones after it, each of at least 32 characters', () => {
    const own = z.object({ SECRETS: secrets })
    const [present, former] = ['p'.repeat(32), 'f'.repeat(32)]
    expect(readConfig(own, { SECRETS: present }).SECRETS).toEqual([present])
    expect(readConfig(own, { SECRETS: `${present},${former}` }).SECRETS).toEqual([present, former])
    for (const wrong of ['p'.repeat(31), `${present},`, `${present},short`])
      expect(() => readConfig(own, { SECRETS: wrong })).toThrow(/SECRETS: must have at least 32 characters each$/)
  })
  it('names a file that cannot be read', () => {
    expect(() => readConfig(schema, { ...good, SECRET: '', SECRET_FILE: '/does/not/exist' })).toThrow(
      /SECRET_FILE.*ENOENT/,
    )
    const optional = z.object({ SECRET: z.string().optional() })
    expect(() => readConfig(optional, { SECRET_FILE: '/does/not/exist' })).toThrow(/SECRET_FILE.*ENOENT/)
  })
})
