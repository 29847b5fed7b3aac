import { type ProviderRequest, type ProviderScript, waitUntil } from '@parley/testing'
import { describe, expect } from 'vitest'
import { asAdmin, registerPerson } from '../src/people.ts'
import { openPython } from '../src/python.ts'
import { it, type SharedSystem } from '../src/shared-system.ts'

const relayed = 'python-relayed'
const translated = 'python-translated'
const embedder = 'python-embeddings'
const scarce = 'python-scarce'
const dear = 'python-dear'

let on: SharedSystem
let admin: Awaited<ReturnType<typeof asAdmin>>

it.beforeAll(async ({ shared }) => {
  on = shared
  await shared.begin({ emailVerificationRequired: false })
  admin = await asAdmin(on.system)
  const fields = { ...{ provider: 'deepseek', group: 'Python', enabled: true, creditsPerMessage: 1 }, name: 'Python' }
  const able = { ...fields, supportsTools: true, supportsImageAttachments: true }
  for (const model of [
    { ...able, id: relayed },
    { ...able, id: translated, provider: 'anthropic', sdkType: 'anthropic-sdk', apiEndpoint: on.provider.url },
    { ...fields, id: embedder, provider: 'openai', apiEndpoint: on.provider.openaiUrl },
    { ...fields, id: scarce, requestsPerMinute: 1 },
    { ...fields, id: dear, creditsPerMessage: 1_000 },
  ]) {
    const { status, text } = await admin.api.post('/api/admin/models', model)
    expect(status, text).toBe(201)
  }
})
// Other files expect the default models.
it.afterAll(async () => {
  on.provider.reset()
  for (const id of [relayed, translated, embedder, scarce, dear]) await admin.api.delete(`/api/admin/models/${id}`)
  await admin.close()
})

const callOf = (city: string) => ({ id: `call_${city}`, name: 'weather', parameters: { city } })
/** The provider's answers, by a word of the question. */
const answers: Readonly<Record<string, ProviderScript>> = {
  'Weather?': { toolCalls: [callOf('Köln'), callOf('Bonn')] },
  'A fact': { text: JSON.stringify({ name: 'Köln', people: 1_084_000 }) },
  'Break off': { chunks: ['One', ' two'], errorFrameAfter: 1 },
  'Go on': { chunks: ['One', ' two', ' three'], hang: { after: 1 } },
}
const hears =
  (word: string) =>
  ({ messages }: ProviderRequest): boolean =>
    JSON.stringify(messages ?? []).includes(word)

describe('Python programs', () => {
  it('do all that the clients of OpenAI and Anthropic and LangChain offer them, and pay for each call once', async ({
    skip,
  }) => {
    const runPython = await openPython(skip)
    for (const [word, script] of Object.entries(answers)) on.provider.always(script, hears(word))
    on.provider.always({ text: 'It rains in both' }, hears('call_Bonn'))
    const person = await registerPerson(on.system, 'pythonista')
    const { body } = await person.api.post('/api/user/keys', { label: 'Python' })
    const { key, secret } = body as { key: { id: string }; secret: string }
    // More calls than the usual minute allows: the clients would wait for the next one.
    const limits = { tier: 5, customLimits: { requests: 1_000, windowMinutes: 1 } }
    expect((await admin.api.patch(`/api/admin/keys/${key.id}`, limits)).status).toBe(200)
    const told = {
      ...{ origin: on.system.url, apiKey: secret, models: [relayed, translated] },
      ...{ embedder, scarce, dear, painter: 'painter-1' },
    }
    await runPython(['clients.py', JSON.stringify(told)])
    const { calls } = on.provider
    expect(calls.some(({ prompt }) => prompt.messages.some(({ files }) => files.length > 0))).toBe(true)
    const left = calls.flatMap(({ body }, index) => (hears('Go on')(body) ? [index + 1] : []))
    expect(left).toHaveLength(4)
    await Promise.all(left.map((nth) => on.provider.aborted(nth)))
    await waitUntil(async () => {
      const { body: credits } = await person.api.get('/api/user/credits')
      const { remaining, held } = credits as { remaining: number; held: number }
      // The image model costs two.
      return held === 0 && remaining === 100 - calls.length - 1
    }, 'every call of the provider to be paid once')
  })
})
