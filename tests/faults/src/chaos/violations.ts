import { type ChatDetail, chatRoutes } from '@parley/contracts'
import { type ApiCaller, waitUntil } from '@parley/testing'
import type { Received } from '../listener.ts'
import type { World } from './world.ts'

/** A message, who sent it, what was received of its answer, and what the provider said. */
export interface Sent {
  readonly api: ApiCaller
  readonly received: Received
  readonly whole: string
}

const settledMs = 60_000

/** What is not as it must be after a fault, one line each. */
export async function violationsOf(world: World, sent: readonly Sent[]): Promise<string[]> {
  const found = await Promise.all([inMoney(world), inEnds(world, sent), ...sent.map(inChat)])
  return found.flat()
}

async function inMoney({ query }: World): Promise<string[]> {
  const open = () => query<{ generation_id: string }>("select generation_id from billing.holds where state = 'held'")
  const none = async () => (await open()).length === 0
  await waitUntil(none, 'every hold to be settled', settledMs, 100).catch(() => undefined)
  const sums = await query<{ user_id: string }>(
    `select user_id from billing.accounts
     left join (select user_id, sum(delta) as total, min(balance_after) as least from billing.ledger group by user_id) l using (user_id)
     where monthly + granted <> coalesce(total, 0) or least < 0`,
  )
  const uneven = await query<{ generation_id: string; captures: number }>(
    `select generation_id, count(l.kind)::int as captures from billing.holds
     left join billing.ledger l using (generation_id) where l.kind = 'capture' or l.kind is null or holds.state <> 'captured'
     group by generation_id, state having count(l.kind) filter (where l.kind = 'capture') <> (state = 'captured')::int`,
  )
  return [
    ...(await open()).map(({ generation_id }) => `the hold of ${generation_id} is not settled`),
    ...sums.map(({ user_id }) => `the ledger of ${user_id} does not add up`),
    ...uneven.map(({ generation_id, captures }) => `${generation_id} was charged ${captures} times`),
  ]
}

/** Every answer that a client received has ended once: its event was published, and no second one. */
async function inEnds({ query }: World, sent: readonly Sent[]): Promise<string[]> {
  const ids = sent.flatMap(({ received }) => (received.messageId === '' ? [] : [received.messageId]))
  const counted = () =>
    query<{ id: string; ends: number }>(
      `select id, count(distinct event ->> 'id')::int as ends from unnest($1::text[]) as id
       left join bus.log on event ->> 'type' = 'chat.generation-finished' and event #>> '{data,generationId}' = id group by id`,
      [ids],
    )
  const all = async () => (await counted()).every(({ ends }) => ends > 0)
  await waitUntil(all, 'every end to be published', settledMs, 100).catch(() => undefined)
  return (await counted()).flatMap(({ id, ends }) => (ends === 1 ? [] : [`${id} has ${ends} ends`]))
}

/** What was acknowledged is kept once, the stream is without a gap and has an end, and no text is kept that the provider did not say. */
async function inChat({ api, received, whole }: Sent): Promise<string[]> {
  const fault = (what: string): string => `${received.said}: ${what}`
  if (received.ending === undefined) {
    return [fault(`no end was received after ${received.seq} events (${received.interruptions.slice(-3).join('; ')})`)]
  }
  const { messages } = await readChat(api, received.chatId)
  const questions = messages.filter(({ role, content }) => role === 'user' && content === received.said)
  const answer = messages.find(({ id }) => id === received.messageId)
  return [
    ...received.disorder.map((what) => fault(`event ${what}`)),
    ...(questions.length === 1 ? [] : [fault(`the message is kept ${questions.length} times`)]),
    ...(answer === undefined || answer.status === 'generating' ? [fault('the answer has no end')] : []),
    ...(whole.startsWith(answer?.content ?? '') ? [] : [fault('other text is kept than the provider said')]),
    ...(whole.startsWith(received.text) ? [] : [fault('other text was received than the provider said')]),
    ...(received.ending === 'done' && (received.text !== whole || answer?.content !== whole)
      ? [fault('the answer ended well without its whole text')]
      : []),
  ]
}

async function readChat(api: ApiCaller, id: string): Promise<ChatDetail> {
  const read = async (): Promise<ChatDetail | undefined> => {
    const { status, body } = await api.call(chatRoutes.get, { params: { id }, query: { limit: 50 } })
    return status === 200 ? body : undefined
  }
  return await waitUntil(() => read().catch(() => undefined), `the chat ${id}`, 60_000, 100)
}
