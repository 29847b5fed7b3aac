import { type AppError, unavailable } from '../errors/app-error.ts'

/** Runs a limited number of acts at once; the others wait in the order in which they came. */
export interface Limiter {
  /** @throws the refusal, with the act not begun, when too many wait already; and what the act throws */
  run<T>(act: () => Promise<T>): Promise<T>
  /** The priority lane, for what follows an act that ran before: it comes before all of `run`, so that much at once is finished one by one. Never refused. */
  runFirst<T>(act: () => Promise<T>): Promise<T>
}

/**
 * @param atOnce acts that run
 * @param most acts of `run` that may wait
 * @param refusal of those beyond them; unavailable by default
 */
export function createLimiter(atOnce: number, most: number, refusal: () => AppError = unavailable): Limiter {
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
    async run(act) {
      if (running >= atOnce && waiting.length >= most) throw refusal()
      return await acquire(waiting, act)
    },
    runFirst: (act) => acquire(priority, act),
  }
}

/** A limiter for each key, so that no key takes the places of others. */
export interface KeyedLimiter {
  /** As `Limiter.run`, among the acts of the same key. */
  run<T>(key: string, act: () => Promise<T>): Promise<T>
}

/** As `createLimiter`, for each key. */
export function createKeyedLimiter(...limits: Parameters<typeof createLimiter>): KeyedLimiter {
  const limiters = new Map<string, { readonly limiter: Limiter; inside: number }>()
  return {
    async run(key, act) {
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
