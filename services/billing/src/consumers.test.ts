import { eventOf } from '@parley/bus'
import { expect, it } from 'vitest'
import { billingSubscription } from './consumers.ts'

const away = async (): Promise<never> => {
  throw new Error('The database is away')
}
const { handlers } = billingSubscription({ accounts: { ensure: away }, credits: { settleFinished: away } } as never)
const envelope = { id: 'e1', at: new Date(0) }

it('an event that could not be stored fails, so that it is redelivered', async () => {
  const registered = eventOf('auth.user-registered', 'u1', { userId: 'u1' }, envelope)
  await expect(handlers['auth.user-registered']?.(registered)).rejects.toThrow('away')
  const finished = {
    generationId: 'g1',
    chatId: 'c1',
    userId: 'u1',
    model: 'v3',
    outcome: 'complete' as const,
    charge: 1,
    usage: { inputTokens: 1, outputTokens: 1, estimated: false },
  }
  const ofUser = eventOf('chat.generation-finished', 'g1', finished, envelope)
  await expect(handlers['chat.generation-finished']?.(ofUser)).rejects.toThrow('away')
  const ofGuest = eventOf('chat.generation-finished', 'g1', { ...finished, userId: null }, envelope)
  await expect(handlers['chat.generation-finished']?.(ofGuest)).resolves.toBeUndefined()
})
