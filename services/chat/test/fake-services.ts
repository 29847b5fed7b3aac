import { json } from 'node:stream/consumers'
import { defaultSettings, type Settings } from '@parley/contracts'
import { answerJson, createExportBox, startFakeOutsider, startTestServer } from '@parley/testing'

interface Hold {
  readonly userId: string
  readonly amount: number
  captured?: number
  renewals: number
}
type Answer = { status: number; body?: unknown; headers?: Readonly<Record<string, string>> }

const listen = (answer: (method: string, path: string, body: unknown) => Answer | 'cut') =>
  startTestServer(async (request, response) => {
    const body =
      request.method === 'POST' && Number(request.headers['content-length'] ?? 0) > 0 ? await json(request) : undefined
    const reply = answer(request.method ?? '', request.url ?? '', body)
    if (reply === 'cut') return request.socket.destroy()
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
    response.end(reply.body === undefined ? undefined : JSON.stringify(reply.body))
  })

/** billing at its wire: holds by generation, one balance per user (100 by default). `away` makes it answer nothing of use, `cuts` are calls
 * that it does and whose answers are lost with the connection, `fullWindow` the headers by which it refuses every hold. */
export async function startFakeBilling() {
  const holds = new Map<string, Hold>()
  const balances = new Map<string, number>()
  const state = { away: false, cuts: 0, fullWindow: undefined as Answer['headers'] }
  const balanceOf = (userId: string): number => balances.get(userId) ?? 100
  const hold = (body: { generationId: string; userId: string; amount: number; unlimited: boolean }): Answer => {
    const { generationId, userId } = body
    const amount = body.unlimited ? 0 : body.amount
    if (state.fullWindow !== undefined) return { ...refusal(429, 'rate_limited'), headers: state.fullWindow }
    if (balanceOf(userId) < amount) return refusal(402, 'insufficient_credits')
    if (!holds.has(generationId)) {
      holds.set(generationId, { userId, amount, renewals: 0 })
      balances.set(userId, balanceOf(userId) - amount)
    }
    return { status: 201, body: { remaining: balanceOf(userId) } }
  }
  const settle = (generationId: string, amount: number): Answer => {
    const found = holds.get(generationId)
    if (found === undefined) return refusal(404, 'not_found')
    if (found.captured === undefined) {
      found.captured = Math.min(amount, found.amount)
      balances.set(found.userId, balanceOf(found.userId) + found.amount - found.captured)
    }
    return { status: 200, body: { charged: found.captured, remaining: balanceOf(found.userId) } }
  }
  const act = (path: string, body: unknown): Answer => {
    const [, , , generationId = '', act] = path.split('/')
    if (generationId === '') return hold(body as Parameters<typeof hold>[0])
    if (act === 'settle') return settle(generationId, (body as { amount: number }).amount)
    const found = holds.get(generationId)
    if (found !== undefined) found.renewals += 1
    return { status: 204 }
  }
  const server = await listen((_method, path, body) => {
    if (state.away) return refusal(503, 'unavailable')
    const answer = act(path, body)
    if (state.cuts === 0) return answer
    state.cuts -= 1
    return 'cut'
  })
  return { ...server, holds, balances, state }
}

const refusal = (status: number, code: string): Answer => ({
  status,
  body: { error: code, code, requestId: 'request' },
})

/** auth at its wire, as far as settings, data exports and erasures go; `erased` are the ids of those that it was told are done. */
export async function startFakeAuth() {
  const settings: Settings = structuredClone(defaultSettings)
  const exports = createExportBox()
  const erased: string[] = []
  const server = await listen((_method, path, body) => {
    if (path.startsWith('/internal/data-exports/')) return { status: exports.take(path, body) }
    const [, erasureId] = /^\/internal\/erasures\/([^/]+)\/acknowledgements$/.exec(path) ?? []
    if (erasureId !== undefined) {
      erased.push(erasureId)
      return { status: 204 }
    }
    const present = { ...settings, registrationEnabled: settings.registration.local }
    return { status: 200, body: { version: 1, settings: present } }
  })
  return { ...server, settings, exports, erased }
}

/** memory at its wire: `memories` are what belongs with every message; `mode` makes it refuse, or never answer. */
export async function startFakeMemory() {
  const state = { memories: [] as { id: string; text: string }[], mode: 'answers' as 'answers' | 'refuses' | 'hangs' }
  const asked: { userId: string; message: string; maxTokens: number }[] = []
  const server = await startFakeOutsider(({ body }, response) => {
    asked.push(JSON.parse(body))
    if (state.mode === 'answers') answerJson(response, { memories: state.memories })
    if (state.mode === 'refuses') answerJson(response, refusal(503, 'unavailable').body as object, 503)
  })
  return { url: server.url, close: server.close, state, asked }
}
