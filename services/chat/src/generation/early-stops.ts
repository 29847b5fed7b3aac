import type { SignalPayload } from '@parley/contracts'

/** A send by the id that its sender gave it. */
export type SendKey = SignalPayload<'send-stop'>

/** A send that is stopped is on its way already. */
const rememberedMs = 60_000
/** Per owner, so that nobody can evict the stops of others. */
const mostOfOwner = 20
const mostOwners = 2_000

/**
 * Stops that may come before their sends, as the two overtake each other on the way; remembered in this process for a short time.
 * @param now monotonic, in milliseconds
 */
export function createEarlyStops(now: () => number = () => performance.now()) {
  const owners = new Map<string, Map<string, number>>()
  return {
    remember({ ownerId, clientMessageId }: SendKey): void {
      const stops = owners.get(ownerId) ?? new Map<string, number>()
      // Anew, so that both maps stay in the order of their last use.
      owners.delete(ownerId)
      stops.delete(clientMessageId)
      owners.set(ownerId, stops.set(clientMessageId, now() + rememberedMs))
      dropOldest(stops, mostOfOwner)
      dropOldest(owners, mostOwners)
    },
    has: ({ ownerId, clientMessageId }: SendKey): boolean => (owners.get(ownerId)?.get(clientMessageId) ?? 0) > now(),
  }
}

function dropOldest(map: Map<string, unknown>, most: number): void {
  const [oldest] = map.keys()
  if (map.size > most && oldest !== undefined) map.delete(oldest)
}
