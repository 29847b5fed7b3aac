import { setTimeout as pause } from 'node:timers/promises'
import { chatRoutes, gatewayRoutes } from '@parley/contracts'
import { type LoadUser, ledgerFaults, waitUntil } from '@parley/testing'
import { type Cluster, release } from './cluster.ts'

const limitMs = 180_000

/**
 * What must be true after all that is done to a system, beside what each answer shows: no hold is left, the books add up and each answer is charged
 * at most once, no event was given up, and nobody reads the chats of others.
 * @returns one line for each thing that is not so
 */
export async function brokenInvariants(
  cluster: Cluster,
  { admin, users }: { readonly admin: LoadUser; readonly users: readonly LoadUser[] },
): Promise<readonly string[]> {
  await Promise.all([admin, ...users].map((user) => user.signIn()))
  return [...(await inMoney(cluster)), ...(await inEvents(admin)), ...(await inOwnership(users))]
}

async function inMoney(cluster: Cluster): Promise<string[]> {
  const query = async (text: string): Promise<string[]> => {
    const psql = ['psql', '--username', 'postgres', '--no-psqlrc', '--tuples-only', '--no-align', 'parley']
    const rows = await cluster.kubectl(['exec', `${release}-postgres-0`, '--', ...psql, '--command', text])
    return rows.split('\n').filter((row) => row !== '')
  }
  const held = () => query(`select generation_id from billing.holds where state = 'held'`)
  const until = performance.now() + limitMs
  while ((await held()).length > 0 && performance.now() < until) await pause(1_000)
  const open = (await held()).map((id) => `the hold of ${id} is not settled`)
  const unbalanced = (await query(ledgerFaults.unbalanced)).map((id) => `the ledger of ${id} does not add up`)
  const miscounted = (await query(ledgerFaults.miscounted)).map((row) => `${row.replace('|', ' was charged ')} times`)
  return [...open, ...unbalanced, ...miscounted]
}

async function inEvents({ api }: LoadUser): Promise<string[]> {
  const look = async () => {
    const answer = await api.call(gatewayRoutes.health)
    return answer.status === 200 && answer.body.services.every(({ ready }) => ready) ? answer.body : undefined
  }
  const { deadLetters } = await waitUntil(look, 'every service to be ready', limitMs, 1_000)
  return deadLetters.map(({ group, count }) => `${group} gave up ${count} events`)
}

async function inOwnership(users: readonly LoadUser[]): Promise<string[]> {
  const [owner, ...strangers] = users as [LoadUser, ...LoadUser[]]
  const { body } = await owner.api.call(chatRoutes.history, { query: { limit: 1 } })
  const [chat] = body
  if (chat === undefined) return ['nobody chatted']
  const answers = await Promise.all(
    strangers.map(({ api }) => api.call(chatRoutes.get, { params: { id: chat._id }, query: { limit: 1 } })),
  )
  return answers.every(({ status }) => status === 404) ? [] : [`a stranger reads the chat ${chat._id}`]
}
