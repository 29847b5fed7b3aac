import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'

/** A provider of language models whose answers go on until they are told to end: so they stream for as long as a fault takes on any machine. */
export interface EndlessProvider {
  /** The base URL for SDKs of OpenAI's kind. */
  readonly openaiUrl: string
  /** Answers everybody who writes something that begins with `round`, a piece every so many milliseconds. */
  begin(round: string, pieceMs: number): void
  /** Lets the answers of a round end after some more pieces. */
  finish(round: string): void
  /** The text that was told to somebody who wrote `said`; of several calls the longest. */
  told(said: string): string
  close(): Promise<void>
}

interface Round {
  readonly pieceMs: number
  isFinishing: boolean
}

/** Pieces that an answer still has after it was told to end. */
const lastPieces = 3

/** What somebody writes: unlike everybody else, and with their number in it. */
export const words = (round: string, nth: number): string => `${round}-${nth}-`
const roundOf = (said: string): string => said.split('-')[0] ?? ''

/** Every piece tells whose it is and where it stands. */
const piece = (said: string, nth: number): string => `${said}.${nth} `

/** Starts one on a free port of the loopback. */
export async function startEndlessProvider(): Promise<EndlessProvider> {
  const rounds = new Map<string, Round>()
  const counts = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const said = questionOf(await json(request))
    const round = rounds.get(roundOf(said))
    if (round === undefined) response.writeHead(404).end()
    else await answer(response, said, round, (count) => counts.set(said, Math.max(count, counts.get(said) ?? 0)))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    openaiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    begin: (round, pieceMs) => void rounds.set(round, { pieceMs, isFinishing: false }),
    finish(round) {
      const known = rounds.get(round)
      if (known !== undefined) known.isFinishing = true
    },
    told: (said) => Array.from({ length: counts.get(said) ?? 0 }, (_, nth) => piece(said, nth)).join(''),
    async close() {
      const closed = once(server.close(), 'close')
      server.closeAllConnections()
      await closed
    },
  }
}

function questionOf(body: unknown): string {
  const { messages = [] } = body as { messages?: { role: string; content: unknown }[] }
  return String(messages.findLast(({ role }) => role === 'user')?.content)
}

async function answer(
  response: ServerResponse,
  said: string,
  round: Round,
  told: (count: number) => void,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  const send = (choice: object): void => {
    response.write(`data: ${JSON.stringify({ ...frame, choices: [{ index: 0, ...choice }] })}\n\n`)
  }
  let count = 0
  for (let left = lastPieces; left > 0; left -= round.isFinishing ? 1 : 0) {
    await pause(round.pieceMs)
    if (response.destroyed) return
    send({ delta: { content: piece(said, count) }, finish_reason: null })
    count += 1
    told(count)
  }
  send({ delta: {}, finish_reason: 'stop' })
  const usage = { prompt_tokens: 1, completion_tokens: count, total_tokens: count + 1 }
  response.end(`data: ${JSON.stringify({ ...frame, choices: [], usage })}\n\ndata: [DONE]\n\n`)
}

const frame = { id: 'chatcmpl-endless', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'endless' }
