import { authInternalRoutes, maxAmong, mostMatches } from '@parley/contracts'
import type { Logger, ServiceClient } from '@parley/kit'

/** Owners of keys by their names, which auth knows. Nobody is found, and none has a name, while auth is unavailable. */
export interface Owners {
  /** Ids of users in whose name or address the text is: all of those that `owners` tells, which is asked only where very many have it. */
  matching(query: string, owners: () => Promise<readonly string[]>): Promise<readonly string[]>
  /** By id. */
  names(userIds: readonly string[]): Promise<ReadonlyMap<string, string>>
}

/** Asks auth each time: an admin looks now and then. */
export function createOwners(client: ServiceClient, log: Logger): Owners {
  const ask = async (body: { userIds: string[]; query?: string; among?: string[] }) => {
    try {
      return await client.call(authInternalRoutes.usernames, { body })
    } catch (error) {
      log.warn({ err: error }, 'keys are listed without the names of their owners')
      return { users: [], matches: [] }
    }
  }
  return {
    async matching(query, owners) {
      const { matches: few } = await ask({ userIds: [], query })
      if (few.length < mostMatches) return few
      const among = await owners()
      const matching: string[] = []
      for (let from = 0; from < among.length; from += maxAmong) {
        const { matches } = await ask({ userIds: [], query, among: among.slice(from, from + maxAmong) })
        matching.push(...matches)
      }
      return matching
    },
    async names(userIds) {
      const { users } = await ask({ userIds: [...new Set(userIds)] })
      return new Map(users.map(({ userId, username }) => [userId, username]))
    },
  }
}
