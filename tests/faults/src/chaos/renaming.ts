import { setTimeout as pause } from 'node:timers/promises'
import { chatRoutes } from '@parley/contracts'
import { type ApiCaller, waitUntil } from '@parley/testing'

/** A chat that was renamed repeatedly. */
export interface Renamed {
  readonly chatId: string
  /** The last acknowledged title, and a later one whose acknowledgement was lost, if any. */
  readonly titles: readonly string[]
  /** Failed renames that no fault explains. */
  readonly refusals: readonly string[]
}

const pauseMs = 20
const unavailable = 503

/** A user who renames a chat continuously: creates it and renames it until a rename fails or `stop` is called. Resolves once the first title was acknowledged. */
export async function startRenaming(api: ApiCaller, name: string) {
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
    // Without an acknowledgement the title may or may not have been stored.
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
    /** `performance.now()` when the last acknowledged rename was sent. */
    acknowledgedAt: (): number => sentAt,
    /** Resolves once no request is pending. */
    async stop(): Promise<Renamed> {
      isStopped = true
      await running
      return { chatId, titles, refusals }
    },
  }
}
