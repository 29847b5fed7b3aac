import { authInternalRoutes, maxAmong, mostMatches } from '@parley/contracts'
import type { Logger, ServiceClient } from '@parley/kit'

/** Owners of keys by name, which auth stores. While auth is unavailable, nobody is found and names are missing. */
export interface Owners {
  /**
   * Ids of users whose name or address contains the text. Only if very many users match, `owners` is called for the candidates, of whom at least the
   * first `enough` that match are returned.
   */
  matching(query: string, enough: number, owners: () => Promise<readonly string[]>): Promise<readonly string[]>
  /** Names by user id. */
  names(userIds: readonly string[]): Promise<ReadonlyMap<string, string>>
}

/** Asks auth each time, because admins rarely search. */
export function createOwners(client: ServiceClient, log: Logger): Owners {
  const ask = async (body: { userIds: string[]; query?: string; among?: string[] }) => {
    try {
      return await client.call(authInternalRoutes.usernames, { body })
    } catch (error) {
      log.warn({ err: error }, 'the names of the owners of keys could not be loaded')
      return { users: [], matches: [] }
    }
  }
  return {
    async matching(query, enough, owners) {
      const { matches: few } = await ask({ userIds: [], query })
      if (few.length < mostMatches) return few
      const among = await owners()
      const matching: string[] = []
      // A few first: if very many users match, so do enough of them.
      for (let [from, to] = [0, mostMatches]; from < among.length && matching.length < enough; ) {
        const { matches } = await ask({ userIds: [], query, among: among.slice(from, to) })
        matching.push(...matches)
        ;[from, to] = [to, to + maxAmong]
      }
      return matching
    },
    async names(userIds) {
      const { users } = await ask({ userIds: [...new Set(userIds)] })
      return new Map(users.map(({ userId, username }) => [userId, username]))
    },
  }
}
