import { EventEmitter } from 'node:events'
import type { Socket } from 'socket.io-client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { untilPasses } from '../../testing/until-passes.ts'
import { type LiveDeps, liveLimits } from './connection.ts'
import { createLive } from './live.ts'
import type { WakeCause } from './wake.ts'

/** A socket whose server is played by the test; `said` holds what the client asked it to do. */
function createFakeSocket(said: string[]) {
  const events = new EventEmitter()
  const manager = new EventEmitter()
  let listener: (event: string, payload: unknown) => void = () => undefined
  const socket = {
    active: false,
    io: manager,
    on: (event: string, act: () => void) => events.on(event, act),
    onAny: (act: typeof listener) => {
      listener = act
    },
    connect: () => said.push('connect'),
    disconnect: () => {
      said.push('disconnect')
      events.emit('disconnect', 'io client disconnect')
    },
    emit: (event: string, { chatId, muted }: { chatId: string; muted?: boolean }) =>
      said.push(`${event} ${chatId}${muted ? ' muted' : ''}`),
  }
  return {
    socket: socket as unknown as Socket,
    connects: () => events.emit('connect'),
    sends: (event: string, payload: unknown) => listener(event, payload),
    /** The connection breaks, and socket.io retries by itself. */
    breaks: () => {
      socket.active = true
      events.emit('disconnect', 'transport close')
    },
    givesUp: () => manager.emit('reconnect_failed'),
    /** The handshake is refused; socket.io does not retry then, nor after the server closes the connection. */
    refuses: (code: string) => {
      socket.active = false
      events.emit('connect_error', Object.assign(new Error(), { data: { code } }))
    },
    closes: (code: string) => {
      socket.active = false
      events.emit('goodbye', { code })
      events.emit('disconnect', 'io server disconnect')
    },
  }
}

/** A live connection over such a socket. */
function given(refreshes: boolean[] = [], failedLoads = 0) {
  const said: string[] = []
  const server = createFakeSocket(said)
  const wakes = new Set<(cause: WakeCause) => void>()
  let banned = false
  let loads = 0
  const deps: LiveDeps = {
    openSocket: async () => {
      loads += 1
      if (loads <= failedLoads) throw new TypeError('Failed to fetch the module')
      return server.socket
    },
    refresh: async () => {
      said.push('refresh')
      return refreshes.shift() ?? false
    },
    onBanned: () => {
      banned = true
    },
    onWake: (listener) => {
      wakes.add(listener)
      return () => void wakes.delete(listener)
    },
    random: () => 0,
    limits: liveLimits,
  }
  const live = createLive(deps)
  /** What was said since the last check. */
  const heard = () => said.splice(0)
  const connects = () => untilPasses(() => expect(said).toContain('connect'))
  return {
    live,
    server,
    heard,
    connects,
    state: () => live.store.getState().state,
    wake: (cause: WakeCause) => {
      for (const listener of wakes) listener(cause)
    },
    isListening: () => wakes.size > 0,
    isBanned: () => banned,
    loads: () => loads,
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('the live connection', () => {
  it('loads nothing until it is started, and ends when it is stopped', async () => {
    const { live, server, heard, connects, state, loads, isListening } = given()
    expect([state(), loads()]).toEqual(['off', 0])
    const stop = live.start()
    await connects()
    server.connects()
    expect(state()).toBe('live')
    stop()
    expect(state()).toBe('off')
    expect(heard()).toEqual(['connect', 'disconnect'])
    server.refuses('unavailable')
    await vi.advanceTimersByTimeAsync(60_000)
    expect([state(), heard(), isListening()]).toEqual(['off', [], false])
  })

  it('joins each chat once, rejoins it after every reconnection, and leaves it with its last user', async () => {
    const { live, server, heard, connects, state } = given()
    live.start()
    const leave = live.join('c1')
    const leaveToo = live.join('c1')
    await connects()
    expect(heard()).toEqual(['connect'])
    server.connects()
    const leaveLast = live.join('c1')
    expect(heard()).toEqual(['join c1'])
    server.breaks()
    expect(state()).toBe('away')
    server.connects()
    expect([state(), heard()]).toEqual(['live', ['join c1']])
    leave()
    leaveToo()
    expect(heard()).toEqual([])
    leaveLast()
    leaveLast()
    expect(heard()).toEqual(['leave c1'])
  })

  it('mutes a chat also when it joins or reconnects, until the last one who asked for that ends it by joining again', async () => {
    const { live, server, heard, connects } = given()
    live.start()
    const unmute = live.mute('c1')
    live.join('c1')
    await connects()
    server.connects()
    const unmuteToo = live.mute('c1')
    server.breaks()
    server.connects()
    unmute()
    expect(heard()).toEqual(['connect', 'join c1 muted', 'mute c1', 'join c1 muted'])
    unmuteToo()
    expect(heard()).toEqual(['join c1'])
    server.breaks()
    server.connects()
    expect(heard()).toEqual(['join c1'])
  })

  it('neither mutes nor rejoins a chat that was left', async () => {
    const { live, server, heard, connects } = given()
    live.start()
    await connects()
    server.connects()
    const leave = live.join('c1')
    const unmute = live.mute('c1')
    leave()
    expect(heard()).toEqual(['connect', 'join c1', 'mute c1', 'leave c1'])
    unmute()
    live.mute('c1')()
    expect(heard()).toEqual([])
  })

  it('gives up after twenty tries, and restarts on request or when the tab becomes visible', async () => {
    const { live, server, heard, connects, state, wake } = given()
    live.start()
    await connects()
    for (let tries = 0; tries < 20; tries += 1) {
      server.refuses('unavailable')
      expect(state()).toBe('away')
      await vi.advanceTimersByTimeAsync(5_000)
    }
    expect(heard()).toEqual(Array(21).fill('connect'))
    server.refuses('unavailable')
    expect(state()).toBe('failed')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(heard()).toEqual([])
    live.reconnect()
    await connects()
    expect(state()).toBe('away')
    server.connects()
    expect(state()).toBe('live')
    heard()
    wake('shown')
    expect(heard()).toEqual([])
    wake('network')
    await connects()
    expect(heard()).toEqual(['disconnect', 'connect'])
    server.breaks()
    server.givesUp()
    expect(state()).toBe('failed')
    wake('shown')
    await connects()
    expect([state(), heard()]).toEqual(['away', ['disconnect', 'connect']])
  })

  it('has a fresh set of tries after each success', async () => {
    const { live, server, connects, state } = given()
    live.start()
    await connects()
    for (let nth = 0; nth < 3; nth += 1) {
      for (let tries = 0; tries < 10; tries += 1) {
        server.refuses('unavailable')
        await vi.advanceTimersByTimeAsync(5_000)
      }
      server.connects()
      expect(state()).toBe('live')
    }
    server.refuses('unavailable')
    expect(state()).toBe('away')
  })

  it('loads its code again after that has failed', async () => {
    const { live, server, connects, state } = given([], 2)
    live.start()
    await vi.advanceTimersByTimeAsync(5_000)
    await connects()
    server.connects()
    expect(state()).toBe('live')
  })

  it('replaces an expired token once and reconnects, and gives up if the refresh is refused', async () => {
    const { live, server, heard, connects, state } = given([true, false])
    live.start()
    await connects()
    server.refuses('token_expired')
    await vi.advanceTimersByTimeAsync(0)
    expect(heard()).toEqual(['connect', 'refresh', 'connect'])
    server.refuses('token_expired')
    expect([heard(), state()]).toEqual([[], 'away'])
    server.connects()
    server.closes('unauthenticated')
    await vi.advanceTimersByTimeAsync(0)
    expect([heard(), state()]).toEqual([['refresh'], 'away'])
  })

  it('is still connecting for the first time when the network changes meanwhile', async () => {
    const { live, heard, connects, state, wake } = given()
    live.start()
    await connects()
    wake('network')
    expect(state()).toBe('connecting')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(heard()).toEqual(['connect', 'disconnect', 'connect'])
  })

  it('reports a ban and does not reconnect', async () => {
    const { live, server, heard, connects, isBanned } = given()
    live.start()
    await connects()
    heard()
    server.closes('account_banned')
    await vi.advanceTimersByTimeAsync(60_000)
    expect([isBanned(), heard()]).toEqual([true, []])
  })

  it('passes events to their listeners', async () => {
    const { live, server, connects } = given()
    const deleted: string[] = []
    const stop = live.on('chat:delete', ({ chatId }) => deleted.push(chatId))
    live.start()
    await connects()
    server.connects()
    server.sends('chat:delete', { chatId: 'c1' })
    stop()
    server.sends('chat:delete', { chatId: 'c2' })
    expect(deleted).toEqual(['c1'])
  })
})
