import { openPostgres } from '@parley/db'
import { migrateMongo, openMongo } from '@parley/db/mongo'
import { createLogger } from '@parley/kit'
import { testDatabase } from '@parley/testing/postgres'
import { onEngine, testMongoUrl } from '@parley/testing/test-engines'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { mongoMigrations } from '../src/store/mongo/migrations.ts'
import { listedChats } from '../src/store/postgres/chat-list.ts'
import { sentFiles } from '../src/store/postgres/files.ts'
import { openPgChatStores } from '../src/store/postgres/open-stores.ts'
import type { ChatTables } from '../src/store/postgres/tables.ts'
import { dropMongo } from './chat-engines.ts'

const log = createLogger('chat-contract', 'silent')

/** A part of what PostgreSQL says of how it goes about a query. */
interface PlanNode {
  readonly 'Node Type': string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly Plans?: readonly PlanNode[]
}
const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

onEngine('postgres', () => {
  describe('the lists of very many chats and files on PostgreSQL', () => {
    it('read a page by an index in their order, and nothing beyond the page', async () => {
      const database = await testDatabase()
      const stores = openPgChatStores({ url: database.url, log })
      await stores.migrate()
      const { db, pool, close } = openPostgres<ChatTables>({ url: database.url, schema: 'chat', log, max: 1 })
      await pool.query(
        `insert into chats (id, owner_id, title, model_used, pinned, archived, created_at, updated_at)
         select owner || nth, owner, 'Chat', 'v3', nth % 10 = 0, nth % 3 > 0, now(), now() - nth * interval '1 minute'
         from generate_series(1, 10000) as nth, unnest(array['owner', 'other']) as owner`,
      )
      await pool.query('analyze chats')
      const [first] = await stores.chats.list('owner', { limit: 1 })
      const after = first && { id: 'owner5000', updatedAt: new Date(first.updatedAt.getTime() - 5_000 * 60_000) }
      for (const part of [{}, { after }, { pinned: true }, { pinned: false, after }, { archived: true, after }]) {
        const query = listedChats(db, 'owner', { limit: 100, ...part })
        const [explained] = await query.explain<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>('json', sql`analyze`)
        const nodes = nodesOf(explained?.['QUERY PLAN'][0].Plan as PlanNode)
        expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan')
        expect(nodes.flatMap((node) => node['Index Name'] ?? [])).toEqual([expect.stringMatching(/^chats_archived/)])
        for (const node of nodes) expect(node['Actual Rows']).toBeLessThanOrEqual(100)
      }
      await pool.query(
        `insert into files (id, owner_id, sha256, name, mime_type, size, bytes, chat_ids, created_at)
         select owner || nth, owner, nth, 'a.png', 'image/png', 1, '', case when nth % 3 > 0 then array['chat'] else '{}' end,
           now() - nth * interval '1 minute'
         from generate_series(1, 10000) as nth, unnest(array['owner', 'other']) as owner`,
      )
      await pool.query('analyze files')
      for (const from of [undefined, after && { id: after.id, createdAt: after.updatedAt }]) {
        const [explained] = await sentFiles(db, 'owner', from, 100).explain<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
          'json',
          sql`analyze`,
        )
        const nodes = nodesOf(explained?.['QUERY PLAN'][0].Plan as PlanNode)
        expect(nodes.flatMap((node) => node['Index Name'] ?? [])).toEqual(['files_listed'])
        for (const node of nodes) expect(node['Actual Rows']).toBeLessThanOrEqual(100)
      }
      await close()
      await stores.close()
      await database.drop()
    })
  })
})

onEngine('mongo', () => {
  describe('the lists of chats and files on MongoDB', () => {
    // The engine of these tests explains no plan.
    it('have indexes in their order, after the fields that they are filtered by', async () => {
      const url = testMongoUrl()
      await migrateMongo({ url, steps: mongoMigrations, log })
      const database = openMongo({ url, log })
      const chats = await database.collection('chats')
      const keys = (await chats.indexes()).map(({ key }) => Object.entries(key).map(([name, way]) => `${name} ${way}`))
      const inOrder = ['updatedAt -1', '_id -1']
      expect(keys).toContainEqual(['ownerId 1', 'archived 1', 'deletedAt 1', ...inOrder])
      expect(keys).toContainEqual(['ownerId 1', 'archived 1', 'deletedAt 1', 'pinned 1', ...inOrder])
      const files = await database.collection('files')
      const filesListed = { ownerId: 1, made: 1, createdAt: -1, _id: -1 }
      expect((await files.indexes()).map(({ key }) => key)).toContainEqual(filesListed)
      await database.close()
      await dropMongo(url)
    })
  })
})
