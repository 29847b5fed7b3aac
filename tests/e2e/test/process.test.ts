import { randomUUID } from 'node:crypto'
import { apiClient, collect, readEvents, waitUntil } from '@parley/testing'
import { describe, expect } from 'vitest'
import { itWhereItApplies } from '../src/deviations.ts'
import { asAdmin, password, registerPerson } from '../src/people.ts'
import { it, type SharedSystem } from '../src/shared-system.ts'
import { startSystem } from '../src/system.ts'

const send = { message: 'Tell me', model: 'v3' }

describe('Parley’s process', () => {
  let on: SharedSystem
  it.beforeAll(async ({ shared }) => {
    on = shared
    await shared.begin({ emailVerificationRequired: false })
  })

  it('loses no acknowledged data when it is killed in the middle of an answer', async () => {
    const username = `survivor${randomUUID().slice(0, 8)}`
    const { api: ann } = await registerPerson(on.system, username)
    // Long enough not to finish before the kill on any machine.
    on.provider.reply({ chunks: Array.from({ length: 6_000 }, (_, index) => `word${index} `), delayMs: 20 })
    const events = readEvents(await ann.open('POST', '/api/chat', { body: send }))
    const { chatId, messageId } = JSON.parse((await events.next()).value?.data ?? '{}')
    // Checkpoints are written every two seconds; their text must survive.
    await waitUntil(async () => {
      const { body } = await ann.get(`/api/chat/history/${chatId}`)
      const [, answer] = (body as { messages: { content: string }[] }).messages
      return answer?.content.includes('word10 ')
    }, 'a checkpoint')
    await on.system.kill()
    await collect(events).catch(() => undefined)
    await on.startAgain()
    const api = apiClient(on.system.url)
    const { body } = await api.post('/api/auth/login', { identifier: username, password })
    const again = api.with({ authorization: `Bearer ${(body as { token: string }).token}` })
    const messages = await waitUntil(async () => {
      const { body } = await again.get(`/api/chat/history/${chatId}`)
      const found = (body as { messages: { status: string; content: string }[] }).messages
      return found[1]?.status === 'generating' ? undefined : found
    }, 'the answer to have ended')
    expect(messages).toMatchObject([
      { role: 'user', content: 'Tell me', status: 'complete' },
      { role: 'assistant', status: 'interrupted', content: expect.stringContaining('word0 word1 ') },
    ])
    await waitUntil(async () => {
      const { body } = await again.get('/api/user/credits')
      const { held, used, remaining } = body as { held: number; used: number; remaining: number }
      return held === 0 && used === 1 && remaining === 99
    }, 'the charge')
    const replay = await collect(readEvents(await again.open('GET', `/api/chat/stream/${messageId}`)))
    expect(replay.at(-1)?.data).toBe('[DONE]')
    await api.close()
  })

  it('exits on SIGTERM with running answers saved, and restarts on its data', async () => {
    const username = `patient${randomUUID().slice(0, 8)}`
    const { api: ann } = await registerPerson(on.system, username)
    on.provider.reply({ chunks: ['one ', 'two '], hang: { after: 1 } })
    const events = readEvents(await ann.open('POST', '/api/chat', { body: send }))
    await events.next()
    await events.next()
    expect(await on.system.stop()).toBe(0)
    await collect(events).catch(() => undefined)
    await on.startAgain()
    const admin = await asAdmin(on.system)
    expect((await admin.api.get(`/api/admin/users?query=${username}`)).body).toMatchObject({
      users: [{ username }],
    })
    await admin.close()
  })

  it.each(['br', 'gzip'])(
    'serves the page and its scripts and styles compressed by %s, the latter as immutable',
    async (accepted) => {
      const get = (path: string) => fetch(new URL(path, on.system.url), { headers: { 'accept-encoding': accepted } })
      const page = await get('/')
      const html = await page.text()
      expect(page.headers.get('content-encoding')).toBe(accepted)
      const assets = html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)
      const files = await Promise.all(Array.from(assets, ([, path = '']) => get(path)))
      const encodings = new Set<string | null>()
      for (const file of files) {
        expect(file.headers.get('cache-control')).toContain('max-age=31536000, immutable')
        // Files that fit into one packet are not compressed.
        if ((await file.arrayBuffer()).byteLength >= 1024) encodings.add(file.headers.get('content-encoding'))
      }
      expect(encodings).toEqual(new Set([accepted]))
    },
  )

  it('calls a real provider’s address when one is given', () => {
    expect(on.provider.calls[0]).toMatchObject({
      path: '/v1/chat/completions',
      body: { model: 'deepseek-chat', stream: true },
    })
    expect(on.provider.calls[0]?.headers.authorization).toBe('Bearer a key of the fake provider')
  })

  itWhereItApplies('answers with the demo, and says so, where no provider is configured', async () => {
    const demo = await startSystem()
    const api = apiClient(demo.url)
    const { body } = await api.get('/api/chat/models/hierarchy')
    expect((body as { providers: { notice: string }[] }).providers.map(({ notice }) => notice)).toEqual(
      expect.arrayContaining(['Demo answers']),
    )
    const answer = await api.post('/api/chat', send, { headers: { accept: 'application/json' } })
    expect(answer.body).toMatchObject({ content: expect.stringContaining('demo answer') })
    await api.close()
    await demo.dispose()
  })

  itWhereItApplies('names every wrong variable at once and does not start', async () => {
    await expect(startSystem({ environment: { PORT: 'eighty', LOG_LEVEL: 'loud' } })).rejects.toThrow(/Exited with 1/)
  })
})
