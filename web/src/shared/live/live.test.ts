import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLive, type LiveDeps, liveLimits, type SocketReports } from './live.ts'
import type { WakeCause } from './wake.ts'

/** A live connection over a socket whose other side is played by the test. */
function given(refreshes: boolean[] = []) {
  const said: string[] = []
  let reports: SocketReports | null = null
  let wake: (cause: WakeCause) => void = () => undefined
  let banned = false
  let loads = 0
  const deps: LiveDeps = {
    openSocket: async (given) => {
      loads += 1
      reports = given
      return {
        connect: () => said.push('connect'),
        disconnect: () => said.push('disconnect'),
        emit: (event, { chatId }) => said.push(`${event} ${chatId}`),
      }
    },
    refresh: async () => {
      said.push('refresh')
      return refreshes.shift() ?? false
    },
    onBanned: () => {
      banned = true
    },
    onWake: (listener) => {
      wake = listener
      return () => undefined
    },
    random: () => 0,
    limits: liveLimits,
  }
  const live = createLive(deps)
  const server = (): SocketReports => {
    if (!reports) throw new Error('No socket was opened')
    return reports
  }
  /** What was said since the last look. */
  const heard = () => said.splice(0)
  const connects = () => vi.waitFor(() => expect(said).toContain('connect'))
  return {
    live,
    server,
    heard,
    connects,
    state: () => live.store.getState().state,
    wake: (cause: WakeCause) => wake(cause),
    isBanned: () => banned,
    loads: () => loads,
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('the live connection', () => {
  it('loads nothing until it is started, and ends when it is stopped', async () => {
    const { live, server, heard, connects, state, loads } = given()
    expect([state(), loads()]).toEqual(['off', 0])
    const stop = live.start()
    await connects()
    server().connected()
    expect(state()).toBe('live')
    stop()
    expect(state()).toBe('off')
    expect(heard()).toEqual(['connect', 'disconnect'])
    server().lost(null)
    await vi.advanceTimersByTimeAsync(60_000)
    expect([state(), heard()]).toEqual(['off', []])
  })

  it('joins each chat once, again after every reconnection, and leaves it with the last who wanted it', async () => {
    const { live, server, heard, connects } = given()
    live.start()
    const leave = live.join('c1')
    const leaveToo = live.join('c1')
    await connects()
    expect(heard()).toEqual(['connect'])
    server().connected()
    expect(heard()).toEqual(['join c1'])
    server().lost(null)
    await vi.advanceTimersByTimeAsync(5_000)
    server().connected()
    expect(heard()).toEqual(['connect', 'join c1'])
    leave()
    leaveToo()
    expect(heard()).toEqual(['leave c1'])
  })

  it('gives up after twenty tries, and begins anew when asked, or when the tab is looked at', async () => {
    const { live, server, heard, connects, state, wake } = given()
    live.start()
    await connects()
    for (let tries = 0; tries < 20; tries += 1) {
      server().lost(null)
      expect(state()).toBe('away')
      await vi.advanceTimersByTimeAsync(5_000)
    }
    server().lost(null)
    expect(state()).toBe('failed')
    heard()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(heard()).toEqual([])
    live.reconnect()
    await connects()
    expect(state()).toBe('away')
    server().connected()
    expect(state()).toBe('live')
    heard()
    wake('shown')
    expect(heard()).toEqual([])
    wake('network')
    await connects()
    expect(heard()).toEqual(['disconnect', 'connect'])
  })

  it('replaces an expired token once and comes back, and does not insist when that is refused', async () => {
    const { live, server, heard, connects, state } = given([true, false])
    live.start()
    await connects()
    server().lost('token_expired')
    await vi.advanceTimersByTimeAsync(0)
    expect(heard()).toEqual(['connect', 'refresh', 'connect'])
    server().lost('token_expired')
    expect([heard(), state()]).toEqual([[], 'away'])
    server().connected()
    server().lost('unauthenticated')
    await vi.advanceTimersByTimeAsync(0)
    expect([heard(), state()]).toEqual([['refresh'], 'away'])
  })

  it('tells of a ban and does not come back', async () => {
    const { live, server, heard, connects, isBanned } = given()
    live.start()
    await connects()
    heard()
    server().lost('account_banned')
    await vi.advanceTimersByTimeAsync(60_000)
    expect([isBanned(), heard()]).toEqual([true, []])
  })

  it('gives events to those who listen', async () => {
    const { live, server, connects } = given()
    const deleted: string[] = []
    const stop = live.on('chat:delete', ({ chatId }) => deleted.push(chatId))
    live.start()
    await connects()
    server().connected()
    server().told('chat:delete', { chatId: 'c1' })
    stop()
    server().told('chat:delete', { chatId: 'c2' })
    expect(deleted).toEqual(['c1'])
  })
})
