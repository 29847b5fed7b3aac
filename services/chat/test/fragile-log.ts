import { openMemoryHub, type StreamLog } from '@parley/cache'
import type { Logger } from '@parley/kit'

/** Stream logs whose engine forgets, goes away and comes back as a test says. */
export interface FragileLog {
  readonly streamLog: StreamLog
  /** Everything is gone, as after a restart. */
  forget(): Promise<void>
  /** Nothing is answered until `comeBack`, and whoever reads is cut off; what was written stays. */
  goAway(): void
  comeBack(): void
  /** The next append is done, and said to have failed. */
  loseNextAnswer(): void
  close(): Promise<void>
}

/** Logs in memory. */
export function openFragileLog(log: Logger): FragileLog {
  let hub = openMemoryHub({ log })
  let { streamLog } = hub.open('logs')
  let away = false
  let cut = new AbortController()
  let loseAnswer = false
  const refuseAway = (): void => {
    if (away) throw new Error('The engine is unavailable')
  }
  return {
    streamLog: {
      async append(streamId, entries) {
        refuseAway()
        const appended = await streamLog.append(streamId, entries)
        if (!loseAnswer) return appended
        loseAnswer = false
        throw new Error('No answer came')
      },
      async close(streamId) {
        refuseAway()
        await streamLog.close(streamId)
      },
      async state(streamId) {
        refuseAway()
        return await streamLog.state(streamId)
      },
      async *read(streamId, afterSeq, signal) {
        refuseAway()
        yield* streamLog.read(streamId, afterSeq, AbortSignal.any([signal, cut.signal]))
        refuseAway()
      },
    },
    async forget() {
      const old = hub
      hub = openMemoryHub({ log })
      streamLog = hub.open('logs').streamLog
      await old.close()
    },
    goAway() {
      away = true
      cut.abort()
    },
    comeBack() {
      away = false
      cut = new AbortController()
    },
    loseNextAnswer() {
      loseAnswer = true
    },
    close: () => hub.close(),
  }
}
