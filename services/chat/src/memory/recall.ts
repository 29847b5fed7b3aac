import { memoryInternalRoutes } from '@parley/contracts'
import { withTimeout } from '@parley/kit'
import type { Common } from '../common.ts'
import { nothingRecalled, type Recalled } from './memory-events.ts'

/** Tokens of a prompt that memories may take. */
const maxTokens = 1_000
/** More of a message is not compared; UTF-16 units. */
const mostCompared = 8_000
/** After this many time-outs in a row no prompt waits for memory, except for one call in each pause. */
const mostMisses = 2
const pauseMs = 5_000

export interface RecallDeps extends Pick<Common, 'log' | 'now'> {
  readonly client: Pick<Common['client'], 'call'>
  /** How long a prompt waits for memory at most, in milliseconds. */
  readonly memoryMs: number
}

/** A user's memories that are relevant to a message. Never rejects, and takes no longer than a prompt waits for it. */
export type Recall = (ownerId: string, message: string) => Promise<Recalled>

/** Asks memory. While it does not answer, prompts are made without it, nearly all of them at once. */
export function createRecall({ client, memoryMs, log, now }: RecallDeps): Recall {
  let misses = 0
  let nextTryMs = 0
  const isAway = (): boolean => {
    if (misses < mostMisses) return false
    if (now().getTime() < nextTryMs) return true
    nextTryMs = now().getTime() + pauseMs
    return false
  }
  return async (userId, message) => {
    if (isAway()) return { ...nothingRecalled, isUnavailable: true }
    const late = new AbortController()
    const body = { userId, message: message.slice(0, mostCompared).toWellFormed(), maxTokens }
    try {
      const asked = client.call(memoryInternalRoutes.relevant, { body, signal: late.signal, repeat: true })
      const { memories } = await withTimeout(memoryMs, asked)
      misses = 0
      return { memories, isUnavailable: false }
    } catch (error) {
      late.abort()
      misses += 1
      if (misses === mostMisses) {
        nextTryMs = now().getTime() + pauseMs
        log.warn({ err: error }, 'memory does not answer in time: answers are made without it')
      }
      // One that was slow once is not away.
      return { ...nothingRecalled, isUnavailable: misses >= mostMisses }
    }
  }
}
