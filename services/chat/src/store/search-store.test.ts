import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { hitsAmong } from './search-store.ts'

it('other work proceeds while many short messages are searched as they are', async () => {
  const content = 'many words '.repeat(1_000)
  const messages = Array.from({ length: 60 }, (_, nth) => ({ id: `m${nth}`, chatId: 'chat', content }))
  let turns = 0
  let isOver = false
  const others = (async () => {
    for (; !isOver; turns += 1) await turn()
  })()
  expect(await hitsAmong(messages, 'many words')).toHaveLength(60)
  isOver = true
  await others
  expect(turns).toBeGreaterThan(5)
})
