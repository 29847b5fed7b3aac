import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readAllInOneConfig } from '../src/config.ts'

describe('the variables of npm start', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-config-'))
  })
  afterAll(() => rm(folder, { recursive: true }))
  const fileWith = async (content: string): Promise<string> => {
    const file = join(folder, 'value')
    await writeFile(file, `${content}\n`)
    return file
  }

  it('are all optional: everything has a default, and no provider is configured', () => {
    const config = readAllInOneConfig({})
    expect(config).toMatchObject({ HOST: '127.0.0.1', PORT: 8080, DATA_DIR: '.data', INBOX_PORT: 8025 })
    expect(config.ALLOWED_PRIVATE_HOSTS).toEqual(['127.0.0.1', 'localhost'])
    expect([...config.configured]).toEqual([])
  })

  it('can all be read from files', async () => {
    const hosts = readAllInOneConfig({ ALLOWED_PRIVATE_HOSTS_FILE: await fileWith('models.lan, 10.0.0.7') })
    expect(hosts.ALLOWED_PRIVATE_HOSTS).toEqual(['models.lan', '10.0.0.7'])
    const key = readAllInOneConfig({ OPENAI_API_KEY_FILE: await fileWith('a key') })
    expect([key.OPENAI_API_KEY, ...key.configured]).toEqual(['a key', 'openai'])
    const url = readAllInOneConfig({ DEEPSEEK_BASE_URL_FILE: await fileWith('http://localhost:1234/v1') })
    expect([url.DEEPSEEK_BASE_URL, ...url.configured]).toEqual(['http://localhost:1234/v1', 'deepseek'])
  })

  it('of single sign-on must all be set or none', () => {
    const provider = { OIDC_ISSUER: 'https://id.test', OIDC_CLIENT_ID: 'parley', OIDC_CLIENT_SECRET: 'a secret' }
    expect(readAllInOneConfig(provider)).toMatchObject({ ...provider, OIDC_LABEL: 'Single sign-on' })
    const { OIDC_ISSUER } = provider
    expect(() => readAllInOneConfig({ OIDC_ISSUER })).toThrow(
      /OIDC_CLIENT_ID: must be set\n\s+OIDC_CLIENT_SECRET: must/,
    )
  })

  it('are all named if invalid, without their values', () => {
    const wrong = {
      PORT: 'eighty',
      PUBLIC_URL: 'nowhere',
      ADMIN_USERNAME: 'the boss',
      ADMIN_EMAIL: 'somebody',
      ADMIN_PASSWORD: 'short',
      XAI_BASE_URL: 'ftp://x',
      TRUSTED_PROXIES: 'mars',
    }
    const read = () => readAllInOneConfig(wrong)
    for (const name of Object.keys(wrong)) expect(read).toThrow(name)
    for (const value of Object.values(wrong)) expect(read).not.toThrow(value)
  })
})
