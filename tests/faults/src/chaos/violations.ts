import { type ChatDetail, chatRoutes } from '@parley/contracts'
import { type ApiCaller, ledgerFaults, waitUntil } from '@parley/testing'
import type { Received } from '../listener.ts'
import type { Renamed } from './renaming.ts'
import { savedBy } from './saved-by.ts'
import type { World } from './world.ts'

/** A message, the answer received, and the answer the provider sent. */
export interface Sent {
  readonly received: Received
  readonly whole: string
}

/** The users' actions around one fault. */
export interface Round {
  /** One message per user. */
  readonly sent: readonly Sent[]
  /** The chat renamed by the first user. */
  readonly renamed: Renamed
  /** `performance.now()` when the last rename acknowledged before the fault was sent: Parley was working then. */
  readonly workedAt: number
}

const settledMs = 60_000

/** Violations in these rounds, one line each. @param people signed-in users, in the order in which they sent */
export async function violationsOf(
  world: World,
  people: readonly ApiCaller[],
  rounds: readonly Round[],
): Promise<string[]> {
  const found = await inMoney(world)
  for (const { sent, renamed, workedAt } of rounds) {
    const ofRound = await Promise.all([
      inEnds(world, sent),
      inTitle(people[0] as ApiCaller, renamed),
      ...sent.map((one, nth) => inChat(world, people[nth] as ApiCaller, one, workedAt)),
    ])
    found.push(...ofRound.flat())
  }
  return found
}

async function inMoney({ query }: World): Promise<string[]> {
  const open = () => query<{ generation_id: string }>("select generation_id from billing.holds where state = 'held'")
  const none = async () => (await open()).length === 0
  await waitUntil(none, 'every hold to be settled', settledMs, 100).catch(() => undefined)
  const sums = await query<{ user_id: string }>(ledgerFaults.unbalanced)
  const uneven = await query<{ generation_id: string; captures: number }>(ledgerFaults.miscounted)
  return [
    ...(await open()).map(({ generation_id }) => `the hold of ${generation_id} is not settled`),
    ...sums.map(({ user_id }) => `the ledger of ${user_id} does not add up`),
    ...uneven.map(({ generation_id, captures }) => `${generation_id} was charged ${captures} times`),
  ]
}

/** Every received answer has exactly one published end. */
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

async function inTitle(api: ApiCaller, { chatId, titles, refusals }: Renamed): Promise<string[]> {
  const { title } = await readChat(api, chatId)
  return [
    ...refusals,
    ...(titles.includes(title) ? [] : [`a chat is called ${title} instead of ${titles.join(' or ')}`]),
  ]
}

/** Every acknowledged message is stored once, the stream has no gap and has an end, and no text is stored that the provider did not send. */
async function inChat(world: World, api: ApiCaller, { received, whole }: Sent, workedAt: number): Promise<string[]> {
  const fault = (what: string): string => `${received.said}: ${what}`
  if (received.ending === undefined) {
    return [fault(`no end was received after ${received.seq} events (${received.interruptions.slice(-3).join('; ')})`)]
  }
  const { messages } = await readChat(api, received.chatId)
  const questions = messages.filter(({ role, content }) => role === 'user' && content === received.said)
  const answer = messages.find(({ id }) => id === received.messageId)
  const kept = answer?.content.length ?? 0
  const due = savedBy(received.grown, workedAt)
  return [
    ...received.disorder.map((what) => fault(`event ${what}`)),
    ...(questions.length === 1 ? [] : [fault(`the message is kept ${questions.length} times`)]),
    ...(answer === undefined || answer.status === 'generating' ? [fault('the answer has no end')] : []),
    ...(whole.startsWith(answer?.content ?? '') ? [] : [fault('other text is kept than the provider said')]),
    ...(whole.startsWith(received.text) ? [] : [fault('other text was received than the provider said')]),
    ...(kept < due ? [fault(`${kept} characters are kept of ${due} that were received long before the fault`)] : []),
    ...(received.ending === 'done' && (received.text !== whole || answer?.content !== whole)
      ? [fault('the answer ended well without its whole text')]
      : []),
    ...(await inCharge(world, received.messageId, answer?.content ?? '')).map(fault),
  ]
}

/** An answer is charged once one visible character is stored, and not before. */
async function inCharge({ query }: World, generationId: string, kept: string): Promise<string[]> {
  const [row] = await query<{ charged: number }>(
    "select coalesce(sum(amount), 0)::int as charged from billing.ledger where generation_id = $1 and kind = 'capture'",
    [generationId],
  )
  const charged = row?.charged ?? 0
  const visible = /[^\s\p{C}]/u.test(kept)
  return charged > 0 === visible ? [] : [`${charged} credits are charged for ${kept.length} characters that are kept`]
}

async function readChat(api: ApiCaller, id: string): Promise<ChatDetail> {
  const read = async (): Promise<ChatDetail | undefined> => {
    const { status, body } = await api.call(chatRoutes.get, { params: { id }, query: { limit: 50 } })
    return status === 200 ? body : undefined
  }
  return await waitUntil(() => read().catch(() => undefined), `the chat ${id}`, 60_000, 100)
}
