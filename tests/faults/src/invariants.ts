import { type ChatDetail, chatRoutes, consumerGroups } from '@parley/contracts'
import { ledgerFaults, waitUntil } from '@parley/testing'
import type { Clients } from './clients.ts'
import type { Follower } from './follower.ts'
import type { Received } from './listener.ts'
import { canary, type Stage } from './stage.ts'

/** Longer than any wait takes, even on a busy machine. */
const limitMs = 180_000

/**
 * Checks what must be true after every fault.
 * @returns one line for each violation
 */
export async function brokenInvariants(
  stage: Stage,
  { received, followers }: Pick<Clients, 'received' | 'followers'>,
): Promise<string[]> {
  const broken = await Promise.all([
    brokenInMoney(stage),
    ...received.map((one) => brokenInChat(stage, one)),
    ...followers.map((one) => brokenInFollowing(stage, one, received)),
    brokenInEvents(stage, received),
    brokenInOwnership(stage, received),
  ])
  return [...broken.flat(), ...brokenInSecrets(stage)]
}

/** The ledger adds up, each answer is charged once, and no hold is left unsettled. */
async function brokenInMoney(stage: Stage): Promise<string[]> {
  const openHolds = async () => (await stage.query("select 1 from billing.holds where state = 'held'")).length
  await waitUntil(async () => (await openHolds()) === 0, 'every hold to be settled', limitMs, 200)
  const sums = await stage.query<{ user_id: string }>(ledgerFaults.unbalanced)
  const twice = await stage.query<{ generation_id: string }>(`
    select generation_id from billing.ledger where kind = 'capture' group by generation_id having count(*) > 1`)
  return [
    ...sums.map(({ user_id }) => `the ledger of ${user_id} does not add up`),
    ...twice.map(({ generation_id }) => `${generation_id} was charged more than once`),
  ]
}

/** The message is stored once, its answer has an end, and its text is a prefix of the provider's and equals what the reader received. */
async function brokenInChat(stage: Stage, received: Received): Promise<string[]> {
  const fault = (what: string): string => `${received.said}: ${what}`
  if (received.ending === undefined) return [fault(`no end was received after ${received.seq} events`)]
  const chat = await readChat(stage, received)
  const questions = chat.messages.filter(({ role }) => role === 'user')
  const answer = chat.messages.find(({ id }) => id === received.messageId)
  const whole = stage.provider.told(received.said)
  const held = await stage.query<{ charged: number; state: string }>(
    'select charged, state from billing.holds where generation_id = $1',
    [received.messageId],
  )
  return [
    ...received.disorder.map((what) => fault(`event ${what}`)),
    ...(questions.length === 1 && questions[0]?.content === received.said
      ? []
      : [fault('the message is not stored once')]),
    ...(answer === undefined || answer.status === 'generating' ? [fault('the answer has no end')] : []),
    ...(answer !== undefined && whole.startsWith(answer.content) ? [] : [fault('other text than the provider’s')]),
    ...(answer?.content === received.text ? [] : [fault('the reader received other text than what is stored')]),
    ...(received.ending === 'done' && received.text !== whole ? [fault('it ended well without its whole text')] : []),
    ...(held.length === 1 && held[0]?.state === (received.text === '' ? 'released' : 'captured')
      ? []
      : [fault(`its hold is ${held[0]?.state ?? 'missing'}`)]),
  ]
}

/** Every follower has the end, and exactly the stored text. */
async function brokenInFollowing(stage: Stage, follower: Follower, received: readonly Received[]): Promise<string[]> {
  const fault = (what: string): string => `${follower.said}: ${what}`
  const faults = follower.faults.map((what) => fault(`by the socket, event ${what}`))
  if (!(await follower.ended())) return [...faults, fault('no end was told by the socket')]
  const one = received.find(({ said }) => said === follower.said)
  const stored = one && (await readChat(stage, one)).messages.find(({ id }) => id === one.messageId)
  return stored?.content === follower.text
    ? faults
    : [...faults, fault('the socket told other text than what is stored')]
}

/** A system that has just been hit by a fault may need a few attempts. */
async function readChat({ users }: Stage, received: Received): Promise<ChatDetail> {
  const { chatId, said } = received
  const owner = users[ownerOf(received, users.length)]
  return await waitUntil(
    async () => {
      const answer = await owner?.api
        .call(chatRoutes.get, { params: { id: chatId }, query: { limit: 50 } })
        .catch(() => undefined)
      return answer?.status === 200 ? answer.body : undefined
    },
    `the chat of ${said}`,
    limitMs,
    100,
  )
}

/** Every answer's end was published, and there are no dead letters. */
async function brokenInEvents({ bus }: Stage, received: readonly Received[]): Promise<string[]> {
  const missing = () => received.filter(({ messageId }) => !bus.finished.has(messageId))
  await waitUntil(() => missing().length === 0, 'every event', limitMs, 100).catch(() => undefined)
  const letters = await waitUntil(
    () => Promise.all(consumerGroups.map((group) => bus.deadLetters(group))).catch(() => undefined),
    'the dead letters to be read',
    limitMs,
    500,
  )
  return [
    ...missing().map(({ said }) => `${said}: the event of its end was lost`),
    ...letters.flat().map(({ group, event, error }) => `${group} gave up ${event.type}: ${error}`),
  ]
}

/** For other users the chat does not exist. */
async function brokenInOwnership({ users }: Stage, [one]: readonly Received[]): Promise<string[]> {
  if (one === undefined) return ['nobody chatted']
  const strangers = users.filter((_, nth) => nth !== ownerOf(one, users.length))
  const answers = await Promise.all(
    strangers.map(({ api }) => api.call(chatRoutes.get, { params: { id: one.chatId } })),
  )
  return answers.every(({ status }) => status === 404) ? [] : [`a stranger reads the chat of ${one.said}`]
}

const ownerOf = ({ said }: Received, users: number): number => Number(said.split('-')[1]) % users

function brokenInSecrets({ split }: Stage): string[] {
  return split.output().includes(canary) ? ['a secret stands in the logs'] : []
}
