import { pause } from '@parley/kit'
import { consumeAsMember, type MemberOptions } from './member.ts'

const mostRetryMs = 5_000

/** One subscription. */
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
  const { groupId, connection } = options
  const run = async (): Promise<void> => {
    let failures = 0
    while (!signal.aborted) {
      try {
        await options.prepare()
        await consumeAsMember(options, signal, () => {
          failures = 0
        })
      } catch (error) {
        failures += 1
        // Once per outage.
        if (failures === 1) connection.log.warn({ reason: String(error), group: groupId }, 'consuming is interrupted')
        await pause(Math.min(100 * 2 ** failures, mostRetryMs), signal)
      }
    }
  }
  const running = run()
  return async () => {
    stopping.abort()
    await running
  }
}
