import { unavailable } from '@parley/kit'

/** Bytes of bodies that are held at once: in all, and of one network, whose accounts may be one person's. */
export interface MemoryBounds {
  readonly all: number
  readonly network: number
}

/** The bytes of large bodies, counted as they come: what a sender announces and does not send takes no room. */
export type BodyMemory = ReturnType<typeof createBodyMemory>
/** A body whose bytes are held in memory. */
export type HeldBody = ReturnType<BodyMemory['hold']>

interface Counted {
  readonly network: string
  readonly cut: AbortController
  bytes: number
}

/** Within the bounds at any time: where they are exceeded, the bodies that have been coming for the longest are given up. */
export function createBodyMemory({ all, network: share }: MemoryBounds) {
  /** Bodies that are still arriving, the oldest first. */
  const coming = new Set<Counted>()
  const networks = new Map<string, number>()
  let total = 0
  const count = (body: Counted, bytes: number): void => {
    body.bytes += bytes
    total += bytes
    const ofNetwork = heldBy(body.network) + bytes
    if (ofNetwork === 0) networks.delete(body.network)
    else networks.set(body.network, ofNetwork)
  }
  const heldBy = (network: string): number => networks.get(network) ?? 0
  const makeRoom = (network: string): void => {
    for (const body of coming) {
      const isInTheWay = total > all || (heldBy(network) > share && body.network === network)
      if (isInTheWay) giveUp(body)
    }
  }
  const giveUp = (body: Counted): void => {
    coming.delete(body)
    count(body, -body.bytes)
    body.cut.abort(unavailable())
  }
  return {
    /** Counts a body that begins to come. */
    hold(network: string) {
      const body: Counted = { network, cut: new AbortController(), bytes: 0 }
      coming.add(body)
      return {
        /** Aborts, with the refusal as its reason, when the body has to make room. */
        signal: body.cut.signal,
        /** So many more bytes have arrived. */
        add: (bytes: number): void => {
          if (!coming.has(body)) return
          count(body, bytes)
          makeRoom(network)
        },
        /** It has come whole, and is not given up any more. */
        arrived: () => void coming.delete(body),
        /** None of it is held any more. */
        release: (): void => {
          coming.delete(body)
          count(body, -body.bytes)
        },
      }
    },
  }
}
