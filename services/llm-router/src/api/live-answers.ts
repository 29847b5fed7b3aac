import type { StreamLog } from '@parley/cache'
import type { Logger } from '@parley/kit'

export interface LiveAnswerDeps {
  readonly streamLog: StreamLog
  readonly log: Logger
}

/** A streamed answer in progress. */
export type LiveAnswer = ReturnType<typeof logLiveAnswer>

type Headers = Readonly<Record<string, string>>

/**
 * Logs a streamed answer for followers: its headers, then its bytes. Batches what arrives while the engine is busy. If logging fails the
 * answer continues, and followers wait for its end.
 */
export function logLiveAnswer({ streamLog, log }: LiveAnswerDeps, generationId: string, headers: Headers) {
  const streamId = streamIdOf(generationId)
  let lastSeq = 0
  let isLost = false
  let waiting: Uint8Array[] = []
  let writing: Promise<void> | undefined
  const append = async (data: string): Promise<void> => {
    lastSeq += 1
    try {
      isLost = !(await streamLog.append(streamId, [{ seq: lastSeq, data }]))
    } catch (error) {
      isLost = true
      log.warn({ err: error, generationId }, 'a running answer could not be written to its stream log')
    }
  }
  const appendWaiting = async (): Promise<void> => {
    while (waiting.length > 0 && !isLost) await append(Buffer.concat(waiting.splice(0)).toString('base64'))
    waiting = []
    writing = undefined
  }
  writing = append(JSON.stringify(headers)).then(appendWaiting)
  return {
    write(bytes: Uint8Array): void {
      if (isLost) return
      waiting.push(bytes)
      writing ??= appendWaiting()
    },
    /** Ends the log. Never rejects. */
    async close(): Promise<void> {
      await writing
      await streamLog
        .close(streamId)
        .catch((error: unknown) => log.debug({ err: error }, 'closing a stream log failed; it will expire'))
    },
  }
}

/**
 * Reads such a log from its start to its end, which may precede the end of the answer.
 * @returns false without a log
 */
export async function followLiveAnswer(
  { streamLog, log }: LiveAnswerDeps,
  generationId: string,
  left: AbortSignal,
  take: { begin(headers: Headers): void; write(bytes: Uint8Array): Promise<void> },
): Promise<boolean> {
  let isBegun = false
  try {
    for await (const { data } of streamLog.read(streamIdOf(generationId), 0, left)) {
      if (isBegun) await take.write(Buffer.from(data, 'base64'))
      else take.begin(JSON.parse(data))
      isBegun = true
    }
  } catch (error) {
    log.warn({ err: error, generationId }, 'a running answer could not be followed')
  }
  return isBegun
}

const streamIdOf = (generationId: string): string => `request-${generationId}`
