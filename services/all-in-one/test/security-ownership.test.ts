import { clientEventSchemas, publicRoutes, type Route, serverEventSchemas } from '@parley/contracts'
import { type ApiAnswer, type ApiCaller, collect, pathOf, readEvents } from '@parley/testing'
import { connectSocket } from '@parley/testing/socket-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type Person, unlimited, type World } from './given.ts'

/** A red image of four pixels. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAE0lEQVQImWP4z8DwnwGM/zMwAAAf7gP9qS/A4gAAAABJRU5ErkJggg==',
  'base64',
)

/** The ids of a user's resources. */
interface Belongings {
  readonly chat: string
  readonly question: string
  readonly answer: string
  readonly file: string
  readonly session: string
  readonly dataExport: string
  readonly key: string
  readonly share: string
  readonly memory: string
}
interface Asked {
  readonly params?: Record<string, string>
  readonly query?: Record<string, string>
  readonly body?: unknown
}
/** Requests that name another user's resource; `own` are the caller's. */
type Ways = (other: Belongings, own: Belongings) => readonly Asked[]

const nameOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`
const one: Ways = ({ chat }) => [{ params: { id: chat } }]
const withBody =
  (body: object): Ways =>
  ({ chat }) => [{ params: { id: chat }, body }]
const reading = { model: 'gpt-5.5', message: 'Mine' }
const ways: Readonly<Record<string, Ways>> = {
  'DELETE /user/sessions/:id': ({ session }) => [{ params: { id: session } }],
  'PATCH /user/keys/:id': ({ key }) => [{ params: { id: key }, body: { label: 'Mine', expiresAt: null } }],
  'POST /user/keys/:id/rotate': ({ key }) => [{ params: { id: key }, body: { overlapMinutes: 0 } }],
  'DELETE /user/keys/:id': ({ key }) => [{ params: { id: key } }],
  'GET /user/receipts/:generationId': ({ answer }) => [{ params: { generationId: answer } }],
  'POST /user/data-export/:id': ({ dataExport, session }, own) => [
    { params: { id: dataExport }, body: { token: own.dataExport } },
    { params: { id: dataExport }, body: { token: session } },
  ],
  'GET /user/data-export/:id': ({ dataExport, session }, own) => [
    { params: { id: dataExport }, query: { token: own.dataExport } },
    { params: { id: dataExport }, query: { token: session } },
  ],
  'POST /chat': ({ chat, question, answer, file }, own) => [
    { body: { ...reading, chatId: chat } },
    { body: { ...reading, chatId: chat, editMessageId: question } },
    { body: { ...reading, chatId: own.chat, editMessageId: question } },
    { body: { model: 'v3', chatId: chat, regenerateMessageId: answer } },
    { body: { model: 'v3', chatId: own.chat, regenerateMessageId: answer } },
    { body: { ...reading, attachments: [{ id: file }] } },
    { body: { ...reading, attachments: [{ id: own.file }, { url: `/api/chat/files/${file}`, name: 'a.png' }] } },
  ],
  'GET /chat/stream/:id': ({ answer }) => [{ params: { id: answer } }],
  'POST /chat/stream/:id/stop': ({ answer }) => [{ params: { id: answer } }],
  'GET /chat/history/:id': ({ chat, answer }, own): readonly Asked[] => [
    { params: { id: chat } },
    { params: { id: own.chat }, query: { around: answer } },
    { params: { id: own.chat }, query: { before: answer } },
  ],
  'DELETE /chat/history/:id': one,
  'POST /chat/history/:id/restore': one,
  'PUT /chat/history/:id/rename': withBody({ title: 'Mine' }),
  'PUT /chat/history/:id/pin': withBody({ pinned: true }),
  'PUT /chat/history/:id/memory': withBody({ enabled: false }),
  'PUT /chat/history/:id/path': ({ chat, answer }, own) => [
    { params: { id: chat }, body: { messageId: answer } },
    { params: { id: own.chat }, body: { messageId: answer } },
  ],
  'PUT /chat/history/:id/feedback': ({ chat, answer }, own) => [
    { params: { id: chat }, body: { messageId: answer, rating: 'down' } },
    { params: { id: own.chat }, body: { messageId: answer, rating: 'down' } },
  ],
  'PUT /chat/history': ({ chat }) => [
    { body: { chatId: chat, model: 'v3', messages: [{ id: 'brought-along', role: 'user', content: 'Mine' }] } },
  ],
  'POST /chat/history/:id/follow-ups': ({ chat, answer }, own) => [
    { params: { id: chat }, body: { messageId: answer } },
    { params: { id: own.chat }, body: { messageId: answer } },
  ],
  'GET /chat/:id/info': one,
  'GET /chat/history/:id/export': ({ chat }) => [
    { params: { id: chat } },
    { params: { id: chat }, query: { format: 'md' } },
  ],
  'GET /chat/files/:id': ({ file }) => [{ params: { id: file } }, { params: { id: file }, query: { size: 'thumb' } }],
  'POST /chat/image': ({ chat }) => [{ body: { prompt: 'Mine', chatId: chat } }],
  'POST /share': ({ chat, answer }) => [{ body: { chatId: chat } }, { body: { chatId: chat, messageIds: [answer] } }],
  'POST /share/preview': ({ chat }) => [{ body: { chatId: chat } }],
  'DELETE /share/:id': ({ share }) => [{ params: { id: share } }],
  'PATCH /memory/:id': ({ memory }) => [{ params: { id: memory }, body: { text: 'Mine' } }],
  'GET /memory/:id/history': ({ memory }) => [{ params: { id: memory } }],
  'DELETE /memory/:id': ({ memory }) => [
    { params: { id: memory } },
    { params: { id: memory }, query: { forever: 'true' } },
  ],
  'POST /memory/:id/restore': ({ memory }) => [{ params: { id: memory } }],
  'POST /memory/suggestions/:id/approve': ({ memory }) => [{ params: { id: memory }, body: {} }],
  'POST /memory/suggestions/:id/dismiss': ({ memory }) => [{ params: { id: memory } }],
}
/** Bulk routes, which have tests of their own. */
const ofMany = new Set([
  'DELETE /chat/bulk',
  // Tested in services/chat/test/archive.test.ts.
  'PUT /chat/bulk/archive',
  // Public by link, tested in services/all-in-one/test/sharing.test.ts.
  'GET /share/:id',
  'GET /share/:id/images/:imageId',
  'POST /share/:id/continue',
])

/** Fields with the id of a user's resource. */
const naming = /^(ids?|\w*(chat|message)Id|attachments)$/i
const namesSomething = ({ path, body, access }: Route): boolean => {
  // Programs name models, which belong to nobody.
  if (access === 'admin' || access === 'key') return false
  const { shape = {} } = (body ?? {}) as { readonly shape?: object }
  return path.includes(':') || Object.keys(shape).some((field) => naming.test(field) && field !== 'clientMessageId')
}

describe("a user's resource", () => {
  let world: World
  let owner: Person
  let other: Person
  let admin: Person
  let belongings: Map<Person, Belongings>
  const unknown = (text: string) => text.replace(/[0-9a-z]/g, 'f')

  const settle = async (person: Person): Promise<Belongings> => {
    const sent = await person.api.open('POST', '/api/chat', { body: { message: 'A secret question', model: 'v3' } })
    const [start] = await collect(readEvents(sent))
    const { chatId: chat, messageId: answer, userMessageId: question } = JSON.parse(start?.data ?? '{}')
    const headers = { 'content-type': 'application/octet-stream' }
    const uploaded = await person.api.send('POST', '/api/chat/files', { raw: picture, headers })
    const { id: file } = (uploaded.body as { attachment: { id: string } }).attachment
    const { body } = await person.api.get('/api/user/sessions')
    const session = (body as { sessions: { id: string }[] }).sessions[0]?.id ?? ''
    await person.api.post('/api/user/data-export')
    const asked = (await person.api.get('/api/user/data-export')).body as { dataExport: { id: string } }
    const made = (await person.api.post('/api/user/keys', { label: 'A secret key' })).body as { key: { id: string } }
    const { id: share } = (await person.api.post('/api/share', { chatId: chat })).body as { id: string }
    const kept = (await person.api.post('/api/memory', { text: 'A secret memory' })).body as { memory: { id: string } }
    const ids = { dataExport: asked.dataExport.id, key: made.key.id, memory: kept.memory.id, share }
    return { chat, question, answer, file, session, ...ids }
  }
  const of = (person: Person) => belongings.get(person) as Belongings
  const state = async () => {
    const { chat, file } = of(owner)
    const chats = [`/api/chat/history/${chat}`, `/api/chat/files/${file}`, '/api/chat/files', '/api/chat/history']
    const paths = [...chats, '/api/user/sessions', '/api/user/keys', '/api/share', '/api/memory']
    const answers = await Promise.all(paths.map((path) => owner.api.get(path)))
    return answers.map(({ status, text }) => [status, text.replace(/"lastSeenAt":"[^"]*"/g, '')])
  }
  const call = (caller: ApiCaller, { method, ...route }: Route, { params, query, body }: Asked): Promise<ApiAnswer> =>
    caller.send(method, pathOf(route, { ...(params && { params }), ...(query && { query }) }), { body })

  beforeAll(async () => {
    world = await openWorld()
    await world.settings(unlimited)
    ;[owner, other, admin] = [await world.register(), await world.register(), await world.admin()]
    belongings = new Map()
    for (const person of [owner, other, admin]) belongings.set(person, await settle(person))
  })
  afterAll(() => world.close())

  it('has a case for every route with a resource id', () => {
    const named = publicRoutes.filter(namesSomething).map(nameOf)
    expect(named.filter((name) => ways[name] === undefined && !ofMany.has(name))).toEqual([])
    expect(named.length).toBeGreaterThan(15)
  })

  it.each(
    publicRoutes.filter((route) => ways[nameOf(route)] !== undefined).map((route) => [nameOf(route), route] as const),
  )('looks missing to other users in %s', async (name, route) => {
    const before = await state()
    const calls = world.provider.calls.length
    for (const caller of [other, admin]) {
      const theirs = of(owner)
      const nothing = Object.fromEntries(Object.entries(theirs).map(([key, id]) => [key, unknown(id)]))
      const real = ways[name]?.(theirs, of(caller)) ?? []
      const none = ways[name]?.(nothing as unknown as Belongings, of(caller)) ?? []
      for (const [nth, asked] of real.entries()) {
        const [foreign, missing] = [
          await call(caller.api, route, asked),
          await call(caller.api, route, none[nth] ?? {}),
        ]
        expect(foreign.status, JSON.stringify(asked)).toBe(404)
        const saying = ({ body }: ApiAnswer) => ({ ...(body as object), requestId: '' })
        expect(saying(foreign)).toEqual(saying(missing))
        expect(foreign.text).not.toContain('secret')
      }
    }
    expect(await state()).toEqual(before)
    expect(world.provider.calls).toHaveLength(calls)
  })

  it('is refused to anonymous callers, guests, banned users and API keys', async () => {
    const banned = await world.register()
    await admin.api.patch(`/api/admin/users/${banned.user._id}`, { banned: true })
    const callers: readonly [ApiCaller, number, string][] = [
      [world.at(), 401, 'unauthenticated'],
      [world.at().with({ 'x-guest-session-id': 'x' }), 401, 'unauthenticated'],
      [world.at().with({ authorization: 'Bearer sk-abc' }), 401, 'unauthenticated'],
      [banned.api, 403, 'account_banned'],
    ]
    const routes = publicRoutes.filter(
      ({ access, service }) => access === 'user' && ['chat', 'memory', 'share'].includes(service),
    )
    expect(routes.length).toBeGreaterThan(20)
    for (const { method, body: schema, ...route } of routes) {
      const path = pathOf(route, { params: { id: of(owner).chat } })
      const body = schema === undefined ? undefined : {}
      for (const [caller, status, code] of callers) {
        const answer = await caller.send(method, path, { body })
        expect([answer.status, (answer.body as { code?: string }).code], `${method} ${path}`).toEqual([status, code])
      }
    }
  })

  it("sends no events to other users' sockets, whatever they join or send", async () => {
    const [eve, mine] = [
      await connectSocket(world.replicas[0]?.url ?? '', other.token),
      await connectSocket(world.replicas[0]?.url ?? '', owner.token),
    ]
    const { chat } = of(owner)
    mine.say('join', { chatId: chat })
    await mine.until('chat:init')
    for (const event of Object.keys(clientEventSchemas)) {
      const hostile = [chat, [chat], { chatId: [chat] }, { chatId: { $ne: null } }, { chatId: '*' }, null, 7, {}]
      const rooms = [`user:${owner.user._id}`, `chat:${chat}`, '__proto__', 'a'.repeat(1_000_000)]
      for (const said of [...hostile, ...rooms.map((chatId) => ({ chatId }))]) eve.socket.emit(event, said)
    }
    for (const event of Object.keys(serverEventSchemas)) {
      eve.socket.emit(event, { chatId: chat, messageId: of(owner).answer, text: 'forged', message: {} })
    }
    const again = await connectSocket(world.replicas[0]?.url ?? '', other.token)
    again.say('join', { chatId: chat })
    expect(await again.until('chat:error')).toMatchObject({ chatId: chat, code: 'not_found' })
    world.provider.reply({ text: 'A secret answer' })
    const sent = await owner.api.open('POST', '/api/chat', { body: { message: 'Go on', model: 'v3', chatId: chat } })
    await sent.body.text()
    await mine.until('stream:done')
    const toldToOthers = new Set([...eve.heard, ...again.heard].map(({ event }) => event))
    for (const event of toldToOthers) expect(['user:update', 'chat:error', 'left', 'goodbye']).toContain(event)
    expect(JSON.stringify([eve.heard, again.heard])).not.toContain('secret')
    expect(JSON.stringify(mine.heard)).not.toContain('forged')
    for (const client of [eve, again, mine]) client.close()
  })
})
