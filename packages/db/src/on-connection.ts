import pg from 'pg'

/** Runs work on a connection of its own. @throws what the work does, and when there is no connection */
export async function onConnection<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(config)
  // The statement that was running fails with the reason.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
