/** A send by the id that its sender gave it. */
export interface SendKey {
  readonly ownerId: string
  readonly clientMessageId: string
}

/** Stops that may come before their sends, as the two overtake each other on the way; remembered for a short time. */
export interface EarlyStops {
  remember(send: SendKey): void
  has(send: SendKey): boolean
}

/** A send that is stopped is on its way already. */
const rememberedMs = 60_000
/** Per owner, so that nobody can evict the stops of others. */
const mostOfOwner = 20
const mostOwners = 2_000

/** Remembers stops in this process. @param now monotonic, in milliseconds */
export function createEarlyStops(now: () => number = () => performance.now()): EarlyStops {
  const owners = new Map<string, Map<string, number>>()
  return {
    remember({ ownerId, clientMessageId }) {
      const stops = owners.get(ownerId) ?? new Map<string, number>()
      // Anew, so that both maps stay in the order of their last use.
      owners.delete(ownerId)
      stops.delete(clientMessageId)
      owners.set(ownerId, stops.set(clientMessageId, now() + rememberedMs))
      dropOldest(stops, mostOfOwner)
      dropOldest(owners, mostOwners)
    },
    has: ({ ownerId, clientMessageId }) => (owners.get(ownerId)?.get(clientMessageId) ?? 0) > now(),
  }
}

function dropOldest(map: Map<string, unknown>, most: number): void {
  const [oldest] = map.keys()
  if (map.size > most && oldest !== undefined) map.delete(oldest)
}
