import { expect, it } from 'vitest'
import { createWakeup } from './wakeup.ts'

it('a wakeup while nobody waits ends the next pause only', async () => {
  const wakeup = createWakeup()
  wakeup.wake()
  expect([await wakeup.wait(60_000), await wakeup.wait(1)]).toEqual([true, false])
  const waiting = wakeup.wait(60_000)
  wakeup.wake()
  expect([await waiting, await wakeup.wait(1)]).toEqual([true, false])
})
