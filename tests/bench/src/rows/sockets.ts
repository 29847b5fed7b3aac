import type { Parley } from '../parley.ts'
import { startChild } from '../process-channel.ts'
import type { StreamsReport, Target } from '../processes/load-process.ts'
import type { SocketsQuestion, SocketsReport } from '../processes/sockets-process.ts'
import { register } from '../register.ts'
import type { Row } from '../table.ts'
import type { Whole } from '../whole.ts'

const tokensPerSecond = 5
const rampMs = 4_000
const loopLimitMs = 50
/** A user may have at most 50 connections. */
const socketsEach = 40

/** R2: many sockets following many answers; measures the spare capacity of the process that serves them. */
export async function measureSockets({ plan, stub, load, parley }: Whole): Promise<Row[]> {
  const users = plan.sockets / socketsEach
  const chatsEach = Math.ceil(plan.socketStreams / users)
  const tokens = tokensPerSecond * plan.chatSeconds
  await stub.ask('pace', { tokens, everyMs: 1_000 / tokensPerSecond, padding: 0 })
  await using group = new AsyncDisposableStack()
  const sockets = await startChild('sockets-process.ts')
  group.defer(() => sockets.stop())
  const seats: { token: string; chatId: string }[] = []
  const targets: Target[] = []
  for (let nth = 0; nth < users; nth += 1) {
    const token = await newUser(parley, nth)
    const chatIds = await Promise.all(Array.from({ length: chatsEach }, () => newChat(parley, token)))
    targets.push(...chatIds.map((chatId) => targetOf(parley, token, chatId)))
    for (let seat = 0; seat < socketsEach; seat += 1) seats.push({ token, chatId: chatIds[seat % chatsEach] as string })
  }
  await sockets.ask('take', { url: parley.url, seats } satisfies SocketsQuestion)
  await parley.ask('forget')
  const read = await load.ask<StreamsReport>('readManyTokens', { targets, tokens, rampMs })
  const loop = await parley.ask<number>('loopP99')
  const { open, events, gaps, ends } = await sockets.ask<SocketsReport>('report')
  const what = `${seats.length} sockets, ${targets.length} answers of ${tokensPerSecond} tokens/s`
  const lost = seats.length - open + gaps + read.failed + read.lost + read.disordered
  return [
    {
      id: 'R2',
      goal: `${what}: sockets and events lost (${events} events and ${ends} ends were told)`,
      measured: `${lost}`,
      limit: '0',
      met: lost === 0,
    },
    {
      id: 'R2',
      goal: `${what}: p99 of a turn of the event loop`,
      measured: `${loop.toFixed(0)} ms`,
      limit: `≤ ${loopLimitMs} ms`,
      met: loop <= loopLimitMs,
    },
  ]
}

async function newUser(parley: Parley, nth: number): Promise<string> {
  const { id, token } = await register(parley, `reader-${nth}`)
  await parley.call('POST', `/admin/users/${id}/credits`, { amount: 100_000 })
  return token
}

async function newChat(parley: Parley, token: string): Promise<string> {
  return (await parley.callAs<{ chatId: string }>(token, 'POST', '/chat/history', { title: 'Read', model: 'v3' }))
    .chatId
}

const targetOf = ({ url }: Parley, token: string, chatId: string): Target => ({
  url: `${url}/api/chat`,
  headers: { authorization: `Bearer ${token}` },
  body: { message: 'Say a few words.', model: 'v3', chatId },
})
