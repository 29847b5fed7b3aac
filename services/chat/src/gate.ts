import { unavailable } from '@parley/kit'

/** Lets so many acts run at once; the others wait in the order in which they came. */
export interface Gate {
  /** @throws AppError unavailable, with the act not begun, when too many wait already; and what the act throws */
  run<T>(act: () => Promise<T>): Promise<T>
}

/** @param limit acts at once @param most that may wait */
export function createGate(limit: number, most: number): Gate {
  const waiting: (() => void)[] = []
  let running = 0
  const enter = async (): Promise<void> => {
    if (running < limit) {
      running += 1
      return
    }
    if (waiting.length >= most) throw unavailable()
    // The place of the one that leaves is handed on, so that nobody overtakes.
    await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const leave = (): void => {
    const next = waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
  return {
    async run(act) {
      await enter()
      try {
        return await act()
      } finally {
        leave()
      }
    },
  }
}

/** A gate for each key, so that nobody takes the places of others. */
export interface KeyedGate {
  /** @throws as `Gate` */
  run<T>(key: string, act: () => Promise<T>): Promise<T>
}

/** @param limit acts of one key at once @param most of it that may wait */
export function createKeyedGate(limit: number, most: number): KeyedGate {
  const gates = new Map<string, { readonly gate: Gate; inside: number }>()
  return {
    async run(key, act) {
      const entry = gates.get(key) ?? { gate: createGate(limit, most), inside: 0 }
      gates.set(key, entry)
      entry.inside += 1
      try {
        return await entry.gate.run(act)
      } finally {
        entry.inside -= 1
        if (entry.inside === 0) gates.delete(key)
      }
    },
  }
}
