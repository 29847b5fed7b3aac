import { defaultSettings, type SettingsAnswer } from '@parley/contracts'
import { beforeEach, describe, expect, it } from 'vitest'
import { AppError, createLiveSettings, type ServiceClient } from '../src/index.ts'

const settings = (weeklyLimit: number): SettingsAnswer => ({
  ...defaultSettings,
  guest: { enabled: true, weeklyLimit },
  registrationEnabled: true,
})

describe('live settings', () => {
  let now = 0
  let limit = 1
  let asked = 0
  let gate: Promise<void> = Promise.resolve()
  let away = false
  const client = {
    async call() {
      asked += 1
      const version = limit
      await gate
      if (away) throw new AppError('unavailable', 'away')
      return { version, settings: settings(version) }
    },
  } as unknown as ServiceClient
  beforeEach(() => {
    now = 1_000_000
    limit = 1
    asked = 0
    gate = Promise.resolve()
    away = false
  })
  const open = () => createLiveSettings(client, () => new Date(now))

  it('are loaded once for concurrent callers and then cached', async () => {
    const live = open()
    await Promise.all([live.current(), live.current()])
    await live.current()
    expect(asked).toBe(1)
  })
  it('are reloaded after an invalidation', async () => {
    const live = open()
    await live.current()
    limit = 7
    live.drop()
    expect((await live.current()).guest.weeklyLimit).toBe(7)
  })
  it('are not cached from a request during which a change was signalled', async () => {
    const live = open()
    let pass: () => void = () => undefined
    gate = new Promise((resolve) => {
      pass = resolve
    })
    const early = live.current()
    limit = 7
    live.drop()
    pass()
    await early
    expect((await live.current()).guest.weeklyLimit).toBe(7)
  })
  it('are unavailable when auth is unavailable and the cached ones are old', async () => {
    const live = open()
    await live.current()
    away = true
    now += 29_000
    await expect(live.current()).resolves.toBeDefined()
    now += 2_000
    await expect(live.current()).rejects.toMatchObject({ code: 'unavailable' })
    expect(live.lastKnown()?.guest.weeklyLimit).toBe(1)
  })
})
