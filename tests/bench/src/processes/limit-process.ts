import { openRedisEngine } from '@parley/cache/redis'
import { createLogger } from '@parley/kit'
import { answerQuestions } from '../process-channel.ts'

/** What a replica takes of a window that others take of, too. */
export interface TakingQuestion {
  readonly url: string
  readonly key: string
  readonly points: number
  readonly windowMs: number
  readonly count: number
  readonly atOnce: number
}

/** One replica of llm-router, as far as it counts: takes so often, some at once; how often it was let through. */
async function take({ url, key, points, windowMs, count, atOnce }: TakingQuestion): Promise<number> {
  const log = createLogger('llm-router', 'error')
  // Counted alone it would be let through as often as all together: nothing may be decided by the replica itself.
  const engine = openRedisEngine({ url, scope: 'llm-router', log, budgetMs: 10_000 })
  await engine.health()
  let begun = 0
  let admitted = 0
  const work = async (): Promise<void> => {
    while (begun < count) {
      begun += 1
      const { allowed } = await engine.counter.consumeAll([{ key, limit: { points, windowMs }, cost: 1 }])
      if (allowed) admitted += 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  await engine.close()
  return admitted
}

answerQuestions({ take })
