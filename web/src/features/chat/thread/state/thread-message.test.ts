import { expect, it } from 'vitest'
import { message } from '../../../../testing/given-session.ts'
import { fromServer, newAnswer } from './thread-message.ts'

it('a stored answer keeps what only this page knows of it', () => {
  const known = { ...newAnswer('k1', 'v3', 0, 'a1'), insteadOf: 'r1', thinkingMs: 2_000, finishReason: 'stop' as const }
  const shown = fromServer(message({ id: 'a1', role: 'assistant' }), known)
  expect(shown).toMatchObject({ key: 'k1', insteadOf: 'r1', thinkingMs: 2_000, finishReason: 'stop' })
})

it.each([
  [1, 'text'],
  [0, 'none'],
  [undefined, 'none'],
] as const)('a stored answer that broke off and cost %s has the charge “%s”', (credits, charge) => {
  const stored = message({
    id: 'a1',
    role: 'assistant',
    status: 'interrupted',
    ...(credits !== undefined && { credits }),
  })
  expect(fromServer(stored).failure?.charge).toBe(charge)
})
