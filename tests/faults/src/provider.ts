import { setTimeout as pause } from 'node:timers/promises'
import { type ProviderCall, type ProviderScript, questionOf, startScriptedProvider } from '@parley/fake-provider'

interface Round {
  readonly pieceMs: number
  isFinishing: boolean
}

/** Pieces still sent after an answer was told to end. */
const lastPieces = 3

/** A unique message that contains its number. */
export const words = (round: string, nth: number): string => `${round}-${nth}-`
const roundOf = (said: string): string => said.split('-')[0] ?? ''

/** Every piece identifies its answer and its position. */
const piece = (said: string, nth: number): string => `${said}.${nth} `

/**
 * Starts a language model provider on a free loopback port whose answers stream until they are told to end, so that they outlast any fault on any
 * machine.
 */
export async function startEndlessProvider() {
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
    /** The base URL for OpenAI-compatible clients. */
    openaiUrl,
    /** Answers messages that begin with `round`, one piece per interval. */
    begin: (round: string, pieceMs: number): void => void rounds.set(round, { pieceMs, isFinishing: false }),
    /** Makes the answers of a round end after a few more pieces. */
    finish(round: string): void {
      const known = rounds.get(round)
      if (known !== undefined) known.isFinishing = true
    },
    /** The text sent in answer to `said`; of several calls the longest. */
    told: (said: string): string =>
      Array.from({ length: counts.get(said) ?? 0 }, (_, nth) => piece(said, nth)).join(''),
    /** Number of calls with the message `said`. */
    calls: (said: string): number => calls.get(said) ?? 0,
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
