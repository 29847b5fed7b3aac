import { once } from 'node:events'
import { type AddressInfo, createServer, connect as dial, type Server, type Socket } from 'node:net'
import { freePort } from '@parley/kit'
import { afterEach, describe, expect, it } from 'vitest'
import { type Backend, type Balancer, startBalancer } from '../src/balancer.ts'

describe('the balancer', () => {
  const opened: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of opened.splice(0).reverse()) await close()
  })
  let balancer: Balancer
  const balance = async (...backends: Backend[]): Promise<void> => {
    balancer = await startBalancer(() => backends)
    opened.push(() => balancer.close())
  }
  /** A backend that sends its name, then echoes. */
  const backend = async (
    name: string,
  ): Promise<{ port: number; ready: boolean; sockets: Socket[]; server: Server }> => {
    const sockets: Socket[] = []
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      sockets.push(socket)
      socket.on('error', () => undefined)
      socket.write(name)
      socket.pipe(socket)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    opened.push(() => server.close())
    return { port, ready: true, sockets, server }
  }
  const call = async (): Promise<Socket> => {
    const { port } = new URL(balancer.url)
    const socket = dial({ host: '127.0.0.1', port: Number(port), allowHalfOpen: true })
    opened.push(() => socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  const hear = async (socket: Socket): Promise<string> => String((await once(socket, 'data'))[0])
  const reached = async (): Promise<string> => hear(await call())

  it('gives each connection to the next ready backend', async () => {
    const [a, b, c] = [await backend('a'), await backend('b'), await backend('c')]
    await balance(a, b, c)
    b.ready = false
    const heard = [await reached(), await reached(), await reached(), await reached()]
    expect(heard.toSorted()).toEqual(['a', 'a', 'c', 'c'])
    b.ready = true
    expect(new Set([await reached(), await reached(), await reached()])).toEqual(new Set(['a', 'b', 'c']))
  })

  it('tries the next backend if one refuses', async () => {
    await balance({ port: await freePort(), ready: true }, await backend('b'))
    expect([await reached(), await reached(), await reached()]).toEqual(['b', 'b', 'b'])
  })

  it('refuses connections if no backend is ready', async () => {
    await balance({ ...(await backend('a')), ready: false })
    await expect(reached()).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  it('relays both directions and their ends independently', async () => {
    await balance(await backend('a'))
    const socket = await call()
    expect(await hear(socket)).toBe('a')
    socket.write('one')
    expect(await hear(socket)).toBe('one')
    socket.end('two')
    expect(await hear(socket)).toBe('two')
    await once(socket, 'end')
  })

  it('keeps connections when their backend is no longer ready, and resets them when it resets them', async () => {
    const a = await backend('a')
    await balance(a)
    const socket = await call()
    await hear(socket)
    a.ready = false
    socket.write('still there')
    expect(await hear(socket)).toBe('still there')
    a.sockets[0]?.resetAndDestroy()
    const [error] = await once(socket, 'error')
    expect(error).toMatchObject({ code: 'ECONNRESET' })
  })

  it('disconnects from the backend when the client disconnects', async () => {
    const a = await backend('a')
    await balance(a)
    const socket = await call()
    await hear(socket)
    const [behind] = a.sockets
    const gone = new Promise((resolve) => behind?.once('close', resolve))
    socket.resetAndDestroy()
    await gone
  })
})
