import { withTimeout } from '@parley/kit'

interface Client {
  connect(): Promise<void>
  disconnect(): Promise<void>
}

export type ReconnectingClient<T extends Client> = ReturnType<typeof createReconnectingClient<T>>

/** A client that is connected when it is first used and replaced after a failure. @param create makes one that is not connected */
export function createReconnectingClient<T extends Client>(create: () => T) {
  let current: Promise<T> | undefined
  let closed = false
  const giveUp = async (client: Promise<T>): Promise<void> => {
    if (current === client) current = undefined
    try {
      await (await client).disconnect()
    } catch {
      // No longer in use; the failure that matters was thrown to its user.
    }
  }
  return {
    /**
     * Runs `act` with the connected client.
     * @throws errors of `act`, or one after `deadlineMs`; the client is then discarded, since its view of the brokers may be stale
     */
    async use<Result>(act: (client: T) => Promise<Result>, deadlineMs: number): Promise<Result> {
      if (closed) throw new Error('the bus is closed')
      current ??= connect(create())
      const client = current
      try {
        return await withTimeout(deadlineMs, client.then(act))
      } catch (error) {
        void giveUp(client)
        throw error
      }
    },
    /** Disconnects it; uses from now on fail. */
    async close(): Promise<void> {
      closed = true
      if (current !== undefined) await giveUp(current)
    },
  }
}

async function connect<T extends Client>(client: T): Promise<T> {
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.disconnect()
    throw error
  }
}
