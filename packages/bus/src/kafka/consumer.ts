import { keepGoing } from '../keep-going.ts'
import { consumeAsMember, type MemberOptions } from './member.ts'

export interface ConsumerOptions extends MemberOptions {
  /** Resolves once the topics are there. */
  prepare(): Promise<void>
}

/**
 * Consumes as a member of its group, and joins it again for ever when it has been thrown out or the brokers are unavailable.
 * @returns how to stop after the running handlers
 */
export function startConsumer(options: ConsumerOptions): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  const consume = async (joined: () => void): Promise<void> => {
    await options.prepare()
    await consumeAsMember(options, signal, joined)
  }
  const { groupId: group, connection } = options
  const running = keepGoing(signal, consume, (reason) =>
    connection.log.warn({ reason, group }, 'consuming is interrupted'),
  )
  return async () => {
    stopping.abort()
    await running
  }
}
