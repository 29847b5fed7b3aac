import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect as dial, type Socket } from 'node:net'
import { serverEventSchemas } from '@parley/contracts'
import { identityHeader, newId } from '@parley/kit'
import { guestPrincipal } from '@parley/testing'
import { connected, connectSocket, openSocket } from '@parley/testing/socket-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plainRights } from './fake-backend.ts'
import { type Given, givenRealtime, identity, publicUrl } from './given.ts'

let given: Given
beforeAll(async () => {
  given = await givenRealtime({ connectionsPerUser: 5 })
})
afterAll(() => given.close())

const codeOf = async (auth: object): Promise<string | undefined> => {
  const client = openSocket(given.url, auth)
  const refusal = await connected(client)
  client.close()
  return refusal?.data?.code
}

describe('a handshake', () => {
  it("accepts a signed-in user, and sends the user's rights", async () => {
    const ann = await given.connect('ann')
    expect(await ann.until('user:update')).toEqual({ isBanned: false, isAdmin: false })
  })

  it.each<[string, object, string]>([
    ['nothing', {}, 'unauthenticated'],
    ['a number', { token: 7 }, 'unauthenticated'],
    ['an array', { token: ['a'] }, 'unauthenticated'],
    ['nonsense', { token: 'a.b.c' }, 'unauthenticated'],
    ['64 KB', { token: 'a'.repeat(20_000) }, 'unauthenticated'],
  ])('with %s for a token is refused', async (_name, auth, code) => {
    expect(await codeOf(auth)).toBe(code)
  })

  it('is refused for an expired token, an ended session and a banned user', async () => {
    await given.user('ann')
    expect(await codeOf({ token: await given.backend.token('ann', -60) })).toBe('token_expired')
    expect(await codeOf({ token: await given.backend.token('stranger') })).toBe('unauthenticated')
    given.backend.users.set('bob', { active: true, rights: { ...plainRights, isBanned: true } })
    expect(await codeOf({ token: await given.backend.token('bob') })).toBe('account_banned')
  })

  it('is refused to an admin who views the product as a user', async () => {
    await given.user('viewed')
    expect(await codeOf({ token: await given.backend.token('viewed', 900, { act: { sub: 'admin' } }) })).toBe(
      'unauthenticated',
    )
    expect(await codeOf({ token: await given.backend.token('viewed') })).toBeUndefined()
  })

  it('is refused with unavailable while auth is unavailable', async () => {
    const token = await given.user('unknown')
    given.backend.broken = true
    expect(await codeOf({ token })).toBe('unavailable')
    given.backend.broken = false
    expect(await codeOf({ token })).toBeUndefined()
  })

  it('is refused for a token in the URL, under any parameter name', async () => {
    const token = await given.user('ann')
    for (const name of ['token', 'access_token', 'auth', 'x']) {
      const client = openSocket(given.url, { token }, { query: { [name]: token } })
      expect(await connected(client)).toBeInstanceOf(Error)
    }
  })

  it.each([
    'null',
    'http://evil.test',
    'http://parley.test.evil.test',
    'https://parley.test',
    'http://evil.parley.test',
  ])('is refused for a page of the origin %s, on either transport', async (origin) => {
    const auth = { token: await given.user('ann') }
    for (const transports of [['websocket'], ['polling']]) {
      const client = openSocket(given.url, auth, { transports, extraHeaders: { origin } })
      expect(await connected(client)).toBeInstanceOf(Error)
    }
  })

  it.each([['websocket'], ['polling']])("is accepted from Parley's own origin over %s", async (transport) => {
    const options = { transports: [transport], extraHeaders: { origin: publicUrl } }
    const client = await connectSocket(given.url, await given.user(`by-${transport}`), options)
    client.close()
  })

  it('is refused to the default namespace', async () => {
    const { io } = await import('socket.io-client')
    const socket = io(given.url, { transports: ['websocket'], reconnection: false, forceNew: true })
    await new Promise((resolve) => socket.once('connect_error', resolve))
    await expect.poll(() => socket.io.engine.readyState).toBe('closed')
  })

  it.each(['evil.test', 'parley.test.evil.test', '169.254.169.254'])(
    'is refused for the foreign host %s, as in DNS rebinding: 421',
    async (host) => {
      const asked = request(`${given.url}/socket.io/?EIO=4&transport=polling`, { headers: { host } }).end()
      const [answer] = (await once(asked, 'response')) as [IncomingMessage]
      answer.resume()
      expect(answer.statusCode).toBe(421)
    },
  )

  it('that does not arrive in time closes its connection', async () => {
    const own = await givenRealtime({ signInMs: 300 })
    const socket = new WebSocket(`${own.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`)
    await new Promise((resolve) => socket.addEventListener('close', resolve))
    await own.close()
  })

  it('that never arrives terminates its connection, even if the client does not acknowledge the close', async () => {
    const own = await givenRealtime({ signInMs: 300 })
    await closedUnder(await deafClient(own.url))
    await own.close()
  })

  it('pending on too many connections of one network terminates the oldest of them', async () => {
    const own = await givenRealtime({ signInMs: 60_000, unsignedPerNetwork: 3 })
    const deaf: Dialled[] = []
    for (let count = 0; count < 5; count += 1) deaf.push(await deafClient(own.url))
    await Promise.all(deaf.slice(0, 2).map(closedUnder))
    expect(deaf.map(({ isClosed }) => isClosed)).toEqual([true, true, false, false, false])
    const ann = await own.connect('ann')
    expect(ann.socket.connected).toBe(true)
    await own.close()
    for (const { socket } of deaf) socket.destroy()
  })

  it('pending on the maximum of connections in each of two networks terminates none of them', async () => {
    const own = await givenRealtime({ signInMs: 60_000, unsignedPerNetwork: 3 })
    const deaf: Dialled[] = []
    for (const network of ['4:1.1.1.1', '4:2.2.2.2', '4:1.1.1.1', '4:2.2.2.2', '4:1.1.1.1', '4:2.2.2.2'])
      deaf.push(await deafClient(own.url, network))
    const beyond = await deafClient(own.url, '4:1.1.1.1')
    await Promise.all(deaf.slice(0, 1).map(closedUnder))
    expect([...deaf, beyond].map(({ isClosed }) => isClosed)).toEqual([true, ...Array(6).fill(false)])
    await own.close()
    for (const { socket } of [...deaf, beyond]) socket.destroy()
  })

  it('is refused beyond the limit of connections per user, even for concurrent handshakes', async () => {
    const token = await given.user(newId())
    const clients = Array.from({ length: 12 }, () => openSocket(given.url, { token }))
    const refusals = await Promise.all(clients.map(connected))
    expect(refusals.filter((refusal) => refusal === undefined)).toHaveLength(5)
    expect(refusals.flatMap((refusal) => refusal?.data?.code ?? [])).toEqual(Array(7).fill('rate_limited'))
    for (const client of clients) client.close()
    await expect.poll(async () => codeOf({ token })).toBeUndefined()
  })

  it('of a connection that is closed meanwhile does not count', async () => {
    const own = await givenRealtime({ connectionsPerUser: 1, unsignedPerNetwork: 1 })
    const token = await own.user('ann')
    const address = `${own.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`
    const asked = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<void>()
    own.backend.afterStatus = () => {
      asked.resolve()
      return answer.promise
    }
    const signingIn = new WebSocket(address)
    await once(signingIn, 'message')
    signingIn.send(`40/realtime,${JSON.stringify({ token })}`)
    await asked.promise
    // The server itself closes the first for the second, and so knows of it before the client does.
    const second = new WebSocket(address)
    await once(signingIn, 'close')
    own.backend.afterStatus = async () => undefined
    answer.resolve()
    const client = openSocket(own.url, { token })
    expect(await connected(client)).toBeUndefined()
    client.close()
    second.close()
    await own.close()
  })

  it('during which its user is banned ends with the ban, although it began before', async () => {
    const token = await given.user('tom')
    given.backend.afterStatus = async () => {
      given.backend.afterStatus = async () => undefined
      given.backend.users.set('tom', { active: true, rights: { ...plainRights, isBanned: true } })
      await given.cache.signal.publish('principal-changed', { userId: 'tom' })
    }
    const tom = await connectSocket(given.url, token)
    expect(await tom.until('goodbye')).toEqual({ code: 'account_banned' })
  })
})

describe('a signed-in connection', () => {
  it('is closed with goodbye token_expired when its token expires', async () => {
    // Half a minute of clock skew is tolerated.
    const own = await givenRealtime({}, undefined, () => new Date(Date.now() + 929_000))
    const client = await connectSocket(own.url, await own.user('old'))
    expect(await client.until('goodbye')).toEqual({ code: 'token_expired' })
    await expect.poll(() => client.socket.connected).toBe(false)
    await own.close()
  })

  it.each(Object.keys(serverEventSchemas))('that sends the server event %s has no effect', async (event) => {
    given.chat('talker', 'c1')
    const [talker, other] = [await given.connect('talker'), await given.connect('talker')]
    for (const client of [talker, other]) {
      client.say('join', { chatId: 'c1' })
      await client.until('chat:init')
    }
    const before = other.heard.length
    talker.socket.emit(event, { chatId: 'c1', messageId: 'm1', seq: 1, text: 'forged', message: {}, isBanned: true })
    talker.say('leave', { chatId: 'c1' })
    await talker.until('left')
    other.say('leave', { chatId: 'c1' })
    await other.until('left')
    expect(other.heard.length).toBe(before + 1)
    for (const client of [talker, other]) client.close()
  })
})

interface Dialled {
  readonly socket: Socket
  isClosed: boolean
}

/** A WebSocket that never sends anything, not even a close frame. @param network its network as the gateway states it */
async function deafClient(url: string, network?: string): Promise<Dialled> {
  const { hostname, port } = new URL(url)
  const dialled: Dialled = { socket: dial(Number(port), hostname), isClosed: false }
  dialled.socket
    .on('error', () => undefined)
    .once('close', () => {
      dialled.isClosed = true
    })
  const head = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n'
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
  const from = network === undefined ? '' : `${identityHeader}: ${identity.sign(guestPrincipal({ network }))}\r\n`
  const asked = `GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: parley.test\r\n${head}${key}${from}\r\n`
  dialled.socket.write(asked)
  await new Promise((resolve) => dialled.socket.once('data', resolve))
  dialled.socket.resume()
  return dialled
}

const closedUnder = async (dialled: Dialled): Promise<void> => {
  if (!dialled.isClosed) await new Promise((resolve) => dialled.socket.once('close', resolve))
}
