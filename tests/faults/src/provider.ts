import { setTimeout as pause } from 'node:timers/promises'
import { type ProviderCall, type ProviderScript, questionOf, startScriptedProvider } from '@parley/fake-provider'

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
  /** Calls in which somebody wrote `said`. */
  calls(said: string): number
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
  const calls = new Map<string, number>()
  const answer = ({ prompt: { messages } }: ProviderCall): ProviderScript => {
    const said = messages[questionOf(messages)]?.text ?? ''
    const round = rounds.get(roundOf(said))
    if (round === undefined) return { status: 404 }
    calls.set(said, (calls.get(said) ?? 0) + 1)
    return { chunks: piecesOf(said, round, (count) => counts.set(said, Math.max(count, counts.get(said) ?? 0))) }
  }
  const { openaiUrl, close } = await startScriptedProvider({ answer })
  return {
    openaiUrl,
    begin: (round, pieceMs) => void rounds.set(round, { pieceMs, isFinishing: false }),
    finish(round) {
      const known = rounds.get(round)
      if (known !== undefined) known.isFinishing = true
    },
    told: (said) => Array.from({ length: counts.get(said) ?? 0 }, (_, nth) => piece(said, nth)).join(''),
    calls: (said) => calls.get(said) ?? 0,
    close,
  }
}

async function* piecesOf(said: string, round: Round, told: (count: number) => void): AsyncGenerator<string> {
  let count = 0
  for (let left = lastPieces; left > 0; left -= round.isFinishing ? 1 : 0) {
    await pause(round.pieceMs)
    count += 1
    told(count)
    yield piece(said, count - 1)
  }
}
