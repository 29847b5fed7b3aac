import { messagesEach, rareWords, writeManyMessages } from '../many-messages.ts'
import type { Parley } from '../parley.ts'
import { type Registered, register } from '../register.ts'
import { median, withSpread } from '../statistics.ts'
import type { Row } from '../table.ts'
import { openTables } from '../tables.ts'
import { timedCall } from '../timed-call.ts'
import type { Whole } from '../whole.ts'

const limitMs = 50
const clearingLimitMs = 2_000
const warmUps = 3

/** Search terms by the name of their variant. */
const searches = {
  'words of one message': rareWords,
  'a word of nearly every chat': 'bela',
  'words of no chat': 'zanzibar quartz',
} as const
/** Letter groups that occur in nearly every chat, so that every chat is a candidate: the worst case of a trigram index. */
const hardest = 'estdel orwy'

/** The same query as the web application's. */
const firstPage = '?limit=200&pinnedFirst=true'

/** W4: the list of very many chats, the searches in all their messages, and clearing the history. */
export async function measureHistory({ plan, parley }: Whole): Promise<Row[]> {
  const reader = await register(parley, 'w4-reader')
  await using database = await openTables(parley, 'chat')
  await writeManyMessages(parley, database, reader, plan.historyChats)
  const url = `${parley.url}/api/chat/history`
  const times = async (query: string): Promise<number[]> => {
    const taken: number[] = []
    for (let call = -warmUps; call < plan.historyCalls; call += 1) {
      const ms = await timedCall(`${url}${query}`, reader.token)
      if (call >= 0) taken.push(ms)
    }
    return taken
  }
  const what = `${plan.historyChats * messagesEach} messages in ${plan.historyChats} chats of one user`
  const whole = row(`list of ${what}, all at once`, await times(''))
  const rows = [row(`first page of the list of ${what}`, await times(firstPage)), { ...whole, met: undefined }]
  const search = async (kind: string, words: string): Promise<Row> => {
    const query = `?query=${encodeURIComponent(words)}`
    const found = await parley.callAs<unknown[]>(reader.token, 'GET', `/chat/history${query}`)
    return row(`search of ${what}: ${kind} (${found.length} found)`, await times(query))
  }
  for (const [kind, words] of Object.entries(searches)) rows.push(await search(kind, words))
  rows.push({ ...(await search('words of no chat with parts that are everywhere', hardest)), met: undefined })
  const clearings: number[] = []
  for (let round = 0; round < plan.rounds; round += 1) {
    clearings.push(await clear(parley, reader))
    // Restored before the final removal, for the next round, and so that no removal runs during later rows.
    await database.run('update chats set deleted_at = null where owner_id = $1', [reader.id])
  }
  return [...rows, row(`clearing ${plan.historyChats} chats`, clearings, clearingLimitMs)]
}

/** Milliseconds to clear all chats. @throws Error when there are none */
async function clear({ callAs }: Parley, { token }: Registered): Promise<number> {
  const startedAt = performance.now()
  const { deleted } = await callAs<{ deleted: number }>(token, 'DELETE', '/chats')
  if (deleted === 0) throw new Error('There are no chats to clear')
  return performance.now() - startedAt
}

const row = (goal: string, times: readonly number[], most = limitMs): Row => ({
  id: 'W4',
  goal,
  measured: withSpread(times, 0, ' ms'),
  limit: `≤ ${most} ms`,
  met: median(times) <= most,
})
