import { authInternalRoutes, maxAmong, mostMatches } from '@parley/contracts'
import type { Logger, ServiceClient } from '@parley/kit'

export type Owners = ReturnType<typeof createOwners>

/**
 * Owners of keys by name, which auth stores and is asked for each time, because admins rarely search. While auth is unavailable, nobody is found and
 * names are missing.
 */
export function createOwners(client: ServiceClient, log: Logger) {
  const ask = async (body: { userIds: string[]; query?: string; among?: string[] }) => {
    try {
      return await client.call(authInternalRoutes.usernames, { body })
    } catch (error) {
      log.warn({ err: error }, 'the names of the owners of keys could not be loaded')
      return { users: [], matches: [] }
    }
  }
  return {
    /**
     * Ids of users whose name or address contains the text. Only if very many users match, `owners` is called for the candidates, of whom at least
     * the first `enough` that match are returned.
     */
    async matching(query: string, enough: number, owners: () => Promise<readonly string[]>): Promise<string[]> {
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
    /** Names by user id. */
    async names(userIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const { users } = await ask({ userIds: [...new Set(userIds)] })
      return new Map(users.map(({ userId, username }) => [userId, username]))
    },
  }
}
