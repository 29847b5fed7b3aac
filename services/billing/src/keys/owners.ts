import { authInternalRoutes } from '@parley/contracts'
import type { Logger, ServiceClient } from '@parley/kit'

/** Owners of keys by their names, which auth knows. Nobody is found, and none has a name, while auth is unavailable. */
export interface Owners {
  /** Ids of users in whose name or address the text is. */
  matching(query: string): Promise<readonly string[]>
  /** By id. */
  names(userIds: readonly string[]): Promise<ReadonlyMap<string, string>>
}

/** Asks auth each time: an admin looks now and then. */
export function createOwners(client: ServiceClient, log: Logger): Owners {
  const ask = async (userIds: readonly string[], query?: string) => {
    try {
      return await client.call(authInternalRoutes.usernames, { body: { userIds: [...userIds], query } })
    } catch (error) {
      log.warn({ err: error }, 'keys are listed without the names of their owners')
      return { users: [], matches: [] }
    }
  }
  return {
    matching: async (query) => (await ask([], query)).matches,
    async names(userIds) {
      const { users } = await ask([...new Set(userIds)])
      return new Map(users.map(({ userId, username }) => [userId, username]))
    },
  }
}
