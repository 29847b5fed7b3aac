import { unavailable } from '@parley/kit'

/** Lets so many acts run at once; the others wait in the order in which they came. */
export interface Gate {
  /** @throws AppError unavailable, with the act not begun, when too many wait already; and what the act throws */
  run<T>(act: () => Promise<T>): Promise<T>
  /** For what was begun by an act before: it comes before all that was not, so that much at once is finished one by one. Never refused. */
  goOn<T>(act: () => Promise<T>): Promise<T>
}

/** @param limit acts at once @param most that may wait */
export function createGate(limit: number, most: number): Gate {
  const begun: (() => void)[] = []
  const waiting: (() => void)[] = []
  let running = 0
  const leave = (): void => {
    const next = begun.shift() ?? waiting.shift()
    if (next === undefined) running -= 1
    else next()
  }
  const pass = async <T>(line: (() => void)[], act: () => Promise<T>): Promise<T> => {
    // The place of the one that leaves is handed on, so that nobody overtakes.
    if (running >= limit) await new Promise<void>((resolve) => line.push(resolve))
    else running += 1
    try {
      return await act()
    } finally {
      leave()
    }
  }
  return {
    async run(act) {
      if (running >= limit && waiting.length >= most) throw unavailable()
      return await pass(waiting, act)
    },
    goOn: (act) => pass(begun, act),
  }
}

/** A gate for each key, so that nobody takes the places of others. */
export interface KeyedGate {
  /** @throws as `Gate.run` */
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
