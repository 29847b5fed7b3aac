import { openRedisEngine } from '@parley/cache/redis'
import { createLogger } from '@parley/kit'
import { answerQuestions } from '../process-channel.ts'

/** One replica's calls against a window shared with others. */
export interface TakingQuestion {
  readonly url: string
  readonly key: string
  readonly points: number
  readonly windowMs: number
  readonly count: number
  readonly atOnce: number
}

/** Counts like one replica of llm-router: makes this many attempts, some concurrently; resolves to how many were admitted. */
async function take({ url, key, points, windowMs, count, atOnce }: TakingQuestion): Promise<number> {
  const log = createLogger('llm-router', 'error')
  // A generous budget, so that Redis decides every attempt: a replica counting alone would admit as many as all together.
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
