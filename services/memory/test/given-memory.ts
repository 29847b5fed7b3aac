import type { ServerResponse } from 'node:http'
import { eventOf, openPgBus } from '@parley/bus'
import { openMemoryHub } from '@parley/cache'
import type { EventOf, Hierarchy, ServiceName, SignalPayload } from '@parley/contracts'
import { createMetrics, createServiceClient, newId, startService, systemClock } from '@parley/kit'
import {
  type ApiCaller,
  answerJson,
  apiClient,
  createExportBox,
  embeddingsAnswer,
  startFakeOutsider,
  testDatabase,
  testIdentity,
  testLog,
  userPrincipal,
} from '@parley/testing'
import { createMemoryService } from '../src/service.ts'
import { openMemoryStores } from '../src/store/index.ts'

const identity = testIdentity()
const log = testLog

export type GivenMemory = Awaited<ReturnType<typeof givenMemory>>

/** The question of an answer, as chat returns it. */
export interface Question {
  readonly messageId: string
  readonly content: string
  readonly memoryEnabled: boolean
}

/** A fake of llm-router's embeddings route. */
function createFakeEmbedder() {
  const fake = {
    /** Null: there is no embedding model. */
    space: null as string | null,
    /** Synonyms of words, in lower case. */
    synonyms: {} as Record<string, string>,
    /** The outcome of a call with these texts. */
    outcome: (_texts: readonly string[]): 'answer' | 'hang' | 'fail' | 'refuse' => 'answer',
    /** Awaited before a call is answered. */
    until: Promise.resolve() as Promise<unknown>,
    /** The texts of every call so far. */
    asked: [] as string[][],
    abandoned: 0,
    async answer(texts: string[], response: ServerResponse): Promise<void> {
      const { space } = fake
      const refuse = (status: number, code: string) =>
        answerJson(response, { error: code, code, requestId: 'r' }, status)
      if (space === null) return refuse(404, 'not_found')
      fake.asked.push(texts)
      response.once('close', () => {
        if (!response.writableFinished) fake.abandoned += 1
      })
      const outcome = fake.outcome(texts)
      if (outcome === 'hang') return
      if (outcome === 'fail') return refuse(502, 'provider_error')
      if (outcome === 'refuse') return refuse(400, 'validation_failed')
      await fake.until
      const made = embeddingsAnswer({ input: texts, encoding_format: 'base64' }, fake.synonyms)
      const { data } = made as { data: { embedding: string }[] }
      const vectors = data.map(({ embedding }) => embedding)
      answerJson(response, { model: 'vectors', space, vectors, inputTokens: texts.length })
    },
  }
  return fake
}

/** HTTP fakes of the routes of chat, auth and llm-router that memory calls. `questions` by answer id; `answers` are the model's next answers. */
async function startFakeOthers() {
  const questions = new Map<string, Question>()
  const answers: string[] = []
  const prompts: string[] = []
  const erased: string[] = []
  const exports = createExportBox()
  const embedder = createFakeEmbedder()
  const models: { hierarchy: Hierarchy } = { hierarchy: { providers: [] } }
  const server = await startFakeOutsider(({ path, body }, response) => {
    const [, answerId = ''] = /^\/internal\/chats\/[^/]+\/answers\/([^/?]+)\/question/.exec(path) ?? []
    const question = questions.get(answerId)
    if (question !== undefined) return answerJson(response, question)
    if (path.startsWith('/internal/data-exports/')) {
      response.writeHead(exports.take(path, JSON.parse(body))).end()
      return
    }
    const [, erasureId] = /^\/internal\/erasures\/([^/]+)\/acknowledgements$/.exec(path) ?? []
    if (erasureId !== undefined) {
      erased.push(erasureId)
      response.writeHead(204).end()
      return
    }
    if (path === '/api/chat/models/hierarchy') return answerJson(response, models.hierarchy)
    if (path === '/internal/embedder') {
      const { space } = embedder
      return answerJson(response, { embedder: space && { model: 'vectors', space } })
    }
    if (path === '/internal/embeddings') return void embedder.answer(JSON.parse(body).texts, response)
    if (path === '/internal/completions') {
      prompts.push(body)
      const usage = { inputTokens: 7, outputTokens: 3, estimated: false }
      const lines = [
        { type: 'start', model: 'small', provider: 'openai', creditsPerMessage: 1 },
        { type: 'text', text: answers.shift() ?? '' },
        { type: 'end', finishReason: 'stop', usage },
      ]
      response.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
      return
    }
    answerJson(response, { error: 'Not found', code: 'not_found', requestId: 'request' }, 404)
  })
  return { url: server.url, close: server.close, questions, answers, prompts, erased, exports, models, embedder }
}

/** A database, a bus, and replicas of the service. */
export async function givenMemory(replicaCount = 1) {
  const database = await testDatabase()
  const hub = openMemoryHub({ log })
  const others = await startFakeOthers()
  const bus = await openPgBus({ url: database.url, log })
  const signals = hub.open('test')
  const changes: SignalPayload<'memory-changed'>[] = []
  signals.signal.subscribe('memory-changed', (change) => void changes.push(change))
  const replicas = await Promise.all(
    Array.from({ length: replicaCount }, async () => {
      const stores = openMemoryStores({ url: database.url, log })
      const ownBus = await openPgBus({ url: database.url, log })
      const cache = hub.open('memory')
      const client = createServiceClient({ self: 'memory', locate: (_service: ServiceName) => others.url, identity })
      const metrics = createMetrics('memory', false)
      const deps = { stores, bus: ownBus, cache, client, identity, metrics, log, now: systemClock, newId }
      const running = await startService(createMemoryService(deps), { host: '127.0.0.1', port: 0 })
      const api = apiClient(running.url, identity)
      return {
        api,
        stores,
        metrics,
        async stop() {
          await running.stop(100)
          await api.close()
          for (const engine of [ownBus, cache, client, stores]) await engine.close()
        },
      }
    }),
  )
  const [first] = replicas
  if (first === undefined) throw new RangeError('There is at least one replica')
  const publish = (userId: string, data: Partial<EventOf<'chat.generation-finished'>['data']>, at = new Date()) => {
    const finished = {
      ...{ generationId: newId(), chatId: 'chat', userId, model: 'v3', outcome: 'complete' as const, charge: 1 },
      ...{ usage: { inputTokens: 1, outputTokens: 1, estimated: false }, source: 'web' as const },
      ...data,
    }
    return bus.publish([
      // One partition key, so that events are handled in the order of publication.
      eventOf('chat.generation-finished', 'test', finished, { id: newId(), at }),
    ])
  }
  return {
    url: database.url,
    others,
    bus,
    changes,
    replicas,
    api: first.api,
    metrics: first.metrics,
    stores: first.stores,
    publish,
    /** A new user, with an API client per replica. */
    user() {
      const principal = userPrincipal()
      return {
        userId: principal.userId,
        api: first.api.as(principal),
        at: (nth: number): ApiCaller => (replicas[nth] ?? first).api.as(principal),
      }
    },
    /** Publishes a finished answer to a user's message; resolves to the answer's id. */
    async said(userId: string, content: string, more: Partial<Question> = {}): Promise<string> {
      const generationId = newId()
      others.questions.set(generationId, { messageId: `of-${generationId}`, content, memoryEnabled: true, ...more })
      await publish(userId, { generationId })
      return generationId
    },
    async stop() {
      for (const replica of replicas) await replica.stop()
      await bus.close()
      await signals.close()
      await hub.close()
      await others.close()
      await database.drop()
    },
  }
}
