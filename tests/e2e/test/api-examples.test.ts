import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Hierarchy } from '@parley/contracts'
import type { ProviderRequest } from '@parley/testing'
import {
  type ExampleLanguage,
  type ExampleName,
  type ExampleValues,
  examples,
  placeholderKey,
} from '@parley/web/api-examples'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { intercept } from '../src/intercept.ts'
import { asAdmin, enter, password, registerPerson } from '../src/people.ts'
import { openPython } from '../src/python.ts'
import { it, type SharedSystem } from '../src/shared-system.ts'

const run = promisify(execFile)
const model = 'documented'
const embedder = 'documented-embeddings'

/** The expected output of each example, with the official clients and with curl. */
const expected: Record<ExampleName, { readonly printed: RegExp; readonly curl: RegExp }> = {
  quickStart: { printed: /^You said: Say hello/, curl: /"content":\s*"You said: Say hello/ },
  chatCompletion: { printed: /^You said: What is a tide\?\n\d+ tokens$/, curl: /You said: What is a tide\?/ },
  streaming: { printed: /^You said: Tell me a short story\n\d+ tokens$/, curl: /^data: [\s\S]*data: \[DONE\]$/ },
  tools: { printed: /^Take an umbrella$/, curl: /"tool_calls":[\s\S]*"weather"/ },
  responses: { printed: /^You said: Why is the sky blue\?$/, curl: /"type":\s*"output_text"/ },
  embeddings: { printed: /^0 256 dimensions\n1 256 dimensions$/, curl: /"embedding":\s*\[/ },
  images: { printed: /^saved lighthouse\.png$/, curl: /"b64_json"/ },
  messages: { printed: /^You said: Name three rivers$/, curl: /"type":\s*"message"/ },
  models: { printed: new RegExp(`^${model} \\w+$`, 'm'), curl: new RegExp(`"id":\\s*"${model}"`) },
  usage: { printed: /^\d+ requests this month\n\d+ left of \d+$/, curl: /"object":\s*"usage"/ },
  credits: { printed: /^1 credits charged\n\d+ credits left\nreceipt \S+$/, curl: /x-credits-charged: 1\b/i },
  limits: { printed: /^\d+ requests left\nwhole again in \d+s$/, curl: /x-ratelimit-remaining-requests: \d+/i },
  errors: { printed: /^404 model_not_found \S{8,}$/, curl: /"code":\s*"model_not_found"/ },
  idempotency: { printed: /^same answer: true$/i, curl: /You said: Hello/ },
}
const names = Object.keys(examples) as ExampleName[]

describe('an example of the API documentation', () => {
  let on: SharedSystem
  let folder: string
  let values: ExampleValues

  const programOf = (name: ExampleName, language: ExampleLanguage, filledWith = values): string =>
    examples[name](filledWith)[language]
  const runNode = async (name: ExampleName, filledWith = values): Promise<string> => {
    const file = join(folder, `${name}.mjs`)
    await writeFile(file, programOf(name, 'node', filledWith))
    return (await run(process.execPath, [file], { cwd: folder })).stdout.trim()
  }
  const runCurl = async (name: ExampleName): Promise<string> =>
    (await run('sh', ['-c', programOf(name, 'curl')], { cwd: folder })).stdout.trim()

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-examples-'))
    // Example programs import the official clients by package name.
    await symlink(join(import.meta.dirname, '../../../node_modules'), join(folder, 'node_modules'))
  })
  it.beforeAll(async ({ shared }) => {
    on = shared
    await shared.begin({ emailVerificationRequired: false })
    const isAfterTool = ({ messages }: ProviderRequest) => JSON.stringify(messages ?? []).includes('Light rain in Oslo')
    on.provider.always({ text: 'Take an umbrella' }, isAfterTool)
    const call = { id: 'call_1', name: 'weather', parameters: { city: 'Oslo' } }
    on.provider.always({ toolCalls: [call] }, (request) => request.tools !== undefined && !isAfterTool(request))
    const admin = await asAdmin(on.system)
    for (const [id, provider] of [
      [model, 'deepseek'],
      [embedder, 'openai'],
    ]) {
      const fields = { id, name: id, provider, group: 'Documentation', enabled: true, creditsPerMessage: 1 }
      const { status, text } = await admin.api.post('/api/admin/models', {
        ...{ ...fields, supportsTools: true, apiEndpoint: on.provider.openaiUrl },
      })
      expect(status, text).toBe(201)
    }
    await admin.close()
    const person = await registerPerson(on.system, 'reader-of-documentation')
    const { body } = await person.api.post('/api/user/keys', { label: 'Examples' })
    values = {
      origin: on.system.url,
      apiKey: (body as { secret: string }).secret,
      textModel: model,
      imageModel: 'painter-1',
      embeddingModel: embedder,
    }
  })
  afterAll(() => rm(folder, { recursive: true }))
  // Other files expect the default models.
  it.afterAll(async () => {
    on.provider.reset()
    const admin = await asAdmin(on.system)
    for (const id of [model, embedder]) await admin.api.delete(`/api/admin/models/${id}`)
    await admin.close()
  })

  it.for(names)('%s works with curl and with the official client for Node', async (name) => {
    const [byCurl, byNode] = await Promise.all([runCurl(name), runNode(name)])
    expect(byCurl).toMatch(expected[name].curl)
    expect(byNode).toMatch(expected[name].printed)
  })

  it('works with the official client for Python', async ({ skip }) => {
    const fileOf = (name: ExampleName) => `${name}.py`
    await Promise.all(names.map((name) => writeFile(join(folder, fileOf(name)), programOf(name, 'python'))))
    const runPython = await openPython(skip)
    const printed = JSON.parse(await runPython(['run-each.py', ...names.map(fileOf)], folder))
    for (const name of names) expect(printed[fileOf(name)], name).toMatch(expected[name].printed)
  })

  it('without a key gets the server’s message about it', async ({ skip }) => {
    const withoutKey = { ...values, apiKey: placeholderKey }
    await expect(runNode('quickStart', withoutKey)).rejects.toThrow('401 Incorrect API key provided.')
    await writeFile(join(folder, 'early.py'), programOf('quickStart', 'python', withoutKey))
    const runPython = await openPython(skip)
    await expect(runPython(['run-each.py', 'early.py'], folder)).rejects.toThrow('Incorrect API key provided.')
  })
})

describe('a reader of the API documentation', () => {
  let on: SharedSystem
  let page: Page
  it.beforeAll(async ({ shared }) => {
    on = shared
    await shared.begin({ emailVerificationRequired: false })
  })
  it.beforeEach(({ visitor }) => {
    page = visitor.page
  })

  const section = (name: string) => page.getByRole('region', { name, exact: true })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const code = (name: string) => section(name).locator('pre').first()

  it('who is not signed in sees this origin’s address, one language for all examples, and is sent to sign-in and back', async () => {
    await page.goto('/docs/api#errors')
    await section('Errors').getByText('rate_limit_exceeded').waitFor()
    await code('Quick start').getByText(`curl ${on.system.url}/api/v1/chat/completions`).waitFor()
    await section('Tools').getByText('Python', { exact: true }).click()
    await code('Quick start').getByText('from openai import OpenAI').waitFor()
    await page.reload()
    await code('Streaming').getByText('from openai import OpenAI').waitFor()
    await page.getByRole('link', { name: 'Rate limits', exact: true }).first().click()
    await expect.poll(() => page.url()).toMatch(/#limits$/)
    await button('Sign in to create a key').click()
    await registerPerson(on.system, 'documented-reader')
    await page.getByLabel(/^Username or e-?mail$/).fill('documented-reader')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await button('Sign in').click()
    await button('Create a key for the examples').waitFor()
    expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe('/docs/api#keys')
  })

  it('is told which kind of model embeddings need while there is none, and then sees an example with the one of the registry', async () => {
    await page.goto('/docs/api#embeddings')
    await section('Embeddings').getByText('There’s no embedding model here yet').waitFor()
    expect(await code('Embeddings').count()).toBe(0)
    await code('Images').waitFor()
    const admin = await asAdmin(on.system)
    const fields = { name: 'Vectors', provider: 'openai', group: 'Documentation', modelType: 'embedding' }
    await admin.api.post('/api/admin/models', { ...fields, id: 'example-vectors', apiEndpoint: on.provider.openaiUrl })
    await page.reload()
    await code('Embeddings').getByText('example-vectors').waitFor()
    await admin.api.delete('/api/admin/models/example-vectors')
    await admin.close()
  })

  it('keeps what was entered for a call before the models are known', async () => {
    const held = Promise.withResolvers<void>()
    await intercept(page, '/chat/models/hierarchy', async (call) => {
      await held.promise
      const { status, json } = await call.fetch()
      const { providers, ...rest } = json as Hierarchy
      // Without the model that is preselected until they are known.
      const groupsOf = ({ groups }: Hierarchy['providers'][number]) =>
        groups.map((group) => ({ ...group, models: group.models.filter(({ id }) => id !== 'v3') }))
      return { status, json: { ...rest, providers: providers.map((one) => ({ ...one, groups: groupsOf(one) })) } }
    })
    await enter(page, await registerPerson(on.system, 'documented-early-reader'), '/docs/api')
    await page.getByLabel('API key', { exact: true }).fill('sk-entered-early')
    await page.getByLabel('Message', { exact: true }).fill('Written early')
    const model = page.getByLabel('Model', { exact: true })
    expect(await model.getByRole('option').count()).toBe(0)
    held.resolve()
    await expect.poll(() => model.inputValue()).not.toBe('')
    expect(await page.getByLabel('API key', { exact: true }).inputValue()).toBe('sk-entered-early')
    expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('Written early')
  })

  it('who is signed in creates a key that fills every example, sees its limit, and gets a streamed answer to a call of their own', async () => {
    const person = await registerPerson(on.system, 'documented-programmer')
    await enter(page, person, '/docs/api')
    await section('Rate limits').getByText('You have no keys yet.').waitFor()
    await button('Send').click()
    await page.getByText('Enter a key, or create one above.').waitFor()
    await button('Create a key for the examples').click()
    const secret =
      (await page
        .getByRole('group', { name: /^Secret for/ })
        .locator('code')
        .textContent()) ?? ''
    expect(secret).toMatch(/^sk-\S{20,}$/)
    await button('I’ve saved it').click()
    for (const name of ['Quick start', 'Idempotency']) await code(name).getByText(secret).waitFor()
    await page.getByRole('table', { name: 'Your keys now' }).getByText('API documentation').waitFor()

    on.provider.reply({ chunks: ['Streamed ', 'by key'], usage: { inputTokens: 4, outputTokens: 2 } })
    await page.getByLabel('Model', { exact: true }).selectOption('v3')
    await page.getByLabel('Message', { exact: true }).fill('Stream something')
    await button('Send').click()
    await page.getByRole('group', { name: 'Answer' }).getByText('Streamed by key').waitFor()
    await page.getByText(/^1 credit charged, 99 left\. \d+ tokens\.$/).waitFor()
    await page.getByLabel('API key', { exact: true }).fill('sk-wrong')
    await button('Send').click()
    await page.getByRole('alert').filter({ hasText: '401' }).waitFor()
    await page.reload()
    await section('Quick start').waitFor()
    expect(await page.getByRole('main').textContent()).not.toContain(secret)
  })
})
