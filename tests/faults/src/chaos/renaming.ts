import { setTimeout as pause } from 'node:timers/promises'
import { chatRoutes } from '@parley/contracts'
import { type ApiCaller, waitUntil } from '@parley/testing'

/** A chat that was renamed again and again. */
export interface Renamed {
  readonly chatId: string
  /** The last title that was acknowledged, and the one whose acknowledgement never came, if there is one. */
  readonly titles: readonly string[]
  /** Answers to renames that no fault explains. */
  readonly refusals: readonly string[]
}

/** Somebody who gives a chat one title after the other. */
export interface Renaming {
  /** When the last title that was acknowledged was sent, by `performance.now()`. */
  acknowledgedAt(): number
  /** Resolves once nothing is sent any more. */
  stop(): Promise<Renamed>
}

const pauseMs = 20
const unavailable = 503

/** Makes a chat and renames it until a rename fails or it is stopped. Resolves once the first title was acknowledged. */
export async function startRenaming(api: ApiCaller, name: string): Promise<Renaming> {
  const make = async () => {
    const { status, body } = await api.call(chatRoutes.create, { body: { title: name, model: 'v3' } })
    return status === 201 ? body.chatId : undefined
  }
  let sentAt = performance.now()
  let titles = [name]
  let isStopped = false
  const refusals: string[] = []
  const chatId = await waitUntil(make, 'a chat to rename')
  const rename = async (title: string): Promise<boolean> => {
    const at = performance.now()
    // Until it is acknowledged, and for ever if its connection breaks, it is open whether the title was taken.
    titles = [...titles, title]
    const answer = await api.call(chatRoutes.rename, { params: { id: chatId }, body: { title } }).catch(() => undefined)
    if (answer?.status !== 200) {
      if (answer !== undefined && answer.status !== unavailable) refusals.push(`a rename got ${answer.status}`)
      return false
    }
    titles = [title]
    sentAt = at
    return true
  }
  const running = (async () => {
    for (let nth = 1; !isStopped && (await rename(`${name} ${nth}`)); nth += 1) await pause(pauseMs)
  })()
  return {
    acknowledgedAt: () => sentAt,
    async stop() {
      isStopped = true
      await running
      return { chatId, titles, refusals }
    },
  }
}
