import { openPostgres } from '@parley/db'
import { createLogger } from '@parley/kit'
import { testDatabase } from '@parley/testing/postgres'
import { onEngine } from '@parley/testing/test-engines'
import { expect, it } from 'vitest'
import { openPgChatStores } from '../src/store/postgres/open-stores.ts'
import type { ChatTables } from '../src/store/postgres/tables.ts'
import { sampleChat, sampleFinished, second } from './suites/samples.ts'

const log = createLogger('chat-contract', 'silent')
const eventually = { interval: 10 }

onEngine('postgres', () => {
  it.for([
    { what: 'chats', update: `update chats set title = 'another'` },
    { what: 'messages', update: `update messages set content = content || '!'` },
    { what: 'search_segments', update: `update search_segments set text = text || '!'` },
    { what: 'watchlists', update: `update watchlists set symbols = '{MSFT}'` },
  ])('an erasure waits for a concurrent write of $what, and leaves nothing', async ({ what, update }) => {
    const database = await testDatabase()
    const stores = openPgChatStores({ url: database.url, log })
    await stores.migrate()
    const { pool, close } = openPostgres<ChatTables>({ url: database.url, schema: 'chat', log })
    await stores.chats.add(sampleChat('chat', { ownerId: 'ann' }))
    const messages = [sampleFinished('m1'), sampleFinished('m2')]
    await stores.messages.append('chat', 'ann', messages)
    await stores.search.index(second(9))
    await stores.watchlists.replace('ann', ['AAPL'])

    const writer = await pool.connect()
    await writer.query('begin')
    expect((await writer.query(update)).rowCount).toBeGreaterThan(0)
    const erasing = stores.erasures.erase('ann')
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await pool.query(waiting)).rowCount, eventually).toBe(1)
    await writer.query('commit')
    writer.release()
    await erasing

    expect((await pool.query(`select * from ${what}`)).rows).toEqual([])
    await close()
    await stores.close()
    await database.drop()
  })
})
