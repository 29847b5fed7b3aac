import { type AppError, unavailable } from '../errors/app-error.ts'

export type Limiter = ReturnType<typeof createLimiter>

/**
 * Runs a limited number of acts at once; the others wait in the order in which they came.
 * @param atOnce acts that run
 * @param most acts of `run` that may wait
 * @param refusal of those beyond them; unavailable by default
 */
export function createLimiter(atOnce: number, most: number, refusal: () => AppError = unavailable) {
  const priority: (() => void)[] = []
  const waiting: (() => void)[] = []
  let running = 0
  const release = (): void => {
    const next = priority.shift() ?? waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
  const acquire = async <T>(lane: (() => void)[], act: () => Promise<T>): Promise<T> => {
    // A finished act hands its place to the next one, so that nobody overtakes.
    if (running >= atOnce) await new Promise<void>((resolve) => lane.push(resolve))
    else running += 1
    try {
      return await act()
    } finally {
      release()
    }
  }
  return {
    /** @throws the refusal, with the act not begun, when too many wait already; and what the act throws */
    async run<T>(act: () => Promise<T>): Promise<T> {
      if (running >= atOnce && waiting.length >= most) throw refusal()
      return await acquire(waiting, act)
    },
    /** The priority lane, for what follows an act that ran before: it comes before all of `run`, so that much at once is finished one by one. Never refused. */
    runFirst: <T>(act: () => Promise<T>) => acquire(priority, act),
  }
}

/** A limiter for each key, as by `createLimiter`, so that no key takes the places of others. */
export function createKeyedLimiter(...limits: Parameters<typeof createLimiter>) {
  const limiters = new Map<string, { readonly limiter: Limiter; inside: number }>()
  return {
    async run<T>(key: string, act: () => Promise<T>): Promise<T> {
      const entry = limiters.get(key) ?? { limiter: createLimiter(...limits), inside: 0 }
      limiters.set(key, entry)
      entry.inside += 1
      try {
        return await entry.limiter.run(act)
      } finally {
        entry.inside -= 1
        if (entry.inside === 0) limiters.delete(key)
      }
    },
  }
}
