import { setTimeout as pause } from 'node:timers/promises'
import { chatRoutes } from '@parley/contracts'
import { newId } from '@parley/kit'
import { type LoadUser, waitUntil } from '@parley/testing'
import { type Follower, follow } from '../../tests/faults/src/follower.ts'
import { emptyTranscript, type Received, sendAndListen } from '../../tests/faults/src/listener.ts'

/** Time-out of a silent stream, in milliseconds: generous, because a machine that starts many pods at once is slow. */
const silenceMs = 10_000
const limitMs = 300_000

/** The results of a crowd in one phase. */
export interface Report {
  readonly answers: number
  readonly requests: number
  /** One line per violation. */
  readonly faults: readonly string[]
  /** Reconnections of streams and sockets. */
  readonly reconnections: number
  /** Longest time between a cut stream and its next event. Milliseconds. */
  readonly longestGapMs: number
}

/** A crowd's size, and what each of it asks. */
export interface CrowdOptions {
  readonly url: string
  readonly users: readonly LoadUser[]
  readonly streams: number
  readonly sockets: number
  /** Milliseconds between the arrivals of two streams. */
  readonly arrivalMs: number
  readonly question: string
}

/**
 * A crowd that chats until it is told to stop. Each stream is a client that sends a message, reads the answer to its end and sends the next one; each
 * socket is another tab that follows one of them, connected for that answer; in addition, each user reads the list of chats repeatedly.
 * @param mayBreak whether answers may be interrupted and single requests may fail, because pods are killed
 */
export function startCrowd({ url, users, streams, sockets, arrivalMs, question }: CrowdOptions, mayBreak = false) {
  const received: { readonly user: LoadUser; readonly one: Received }[] = []
  const faults: string[] = []
  let isLeaving = false
  let requests = 0
  let reconnections = 0
  /** Sockets are spread evenly over the streams. */
  const tabsOf = (nth: number): number => Math.floor(sockets / streams) + (nth < sockets % streams ? 1 : 0)
  const close = async (tab: Follower): Promise<void> => {
    if (!(await tab.ended())) faults.push(`${tab.said}: its socket told no end`)
    faults.push(...tab.faults.map((what) => `${tab.said}: by its socket, event ${what}`))
    reconnections += tab.reconnections
  }
  const chat = async (nth: number): Promise<void> => {
    const user = users[nth % users.length] as LoadUser
    await pause(nth * arrivalMs)
    while (!isLeaving) {
      const one = emptyTranscript(`${question} (${newId()})`, newId())
      received.push({ user, one })
      const tabs = Array.from({ length: tabsOf(nth) }, (_none, tab) => follow(url, user, one, tab))
      await sendAndListen(user.api, one, silenceMs)
      await Promise.all(tabs.map(close))
    }
  }
  const look = async ({ api }: LoadUser): Promise<void> => {
    while (!isLeaving) {
      requests += 1
      const said = await api
        .call(chatRoutes.history, { query: { limit: 5 } })
        .then(({ status, text }) => (status === 200 ? undefined : `answered ${status} ${text}`), String)
      if (said !== undefined && !mayBreak) faults.push(`a list of chats was ${said}`)
      await pause(200)
    }
  }
  const all = [...Array.from({ length: streams }, (_, nth) => chat(nth)), ...users.map(look)]
  const begun = () => received.filter(({ one }) => one.text !== '').length
  return {
    /** Resolves once as many answers as there are streams have begun. */
    async underWay(): Promise<void> {
      await waitUntil(() => begun() >= streams || undefined, 'the crowd to chat', limitMs + streams * arrivalMs, 200)
    },
    /** Finishes running answers, and compares all answers with the stored messages. */
    async leave(): Promise<Report> {
      isLeaving = true
      await Promise.all(all)
      for (const { user, one } of received) faults.push(...(await faultsOf(user, one, mayBreak)))
      return {
        answers: received.length,
        requests,
        faults,
        reconnections: received.reduce((sum, { one }) => sum + one.interruptions.length, reconnections),
        longestGapMs: Math.round(Math.max(0, ...received.map(({ one }) => one.longestGapMs))),
      }
    },
  }
}

/** Checks that no event is lost, duplicated or out of order, that the answer ended, and that the stored text equals the received one. */
async function faultsOf({ api }: LoadUser, one: Received, mayBreak: boolean): Promise<string[]> {
  const fault = (what: string): string => `${one.said}: ${what}`
  if (one.ending === undefined) return [fault(`no end came: ${one.interruptions.join('; ')}`)]
  // Retry, because the system may still be recovering from a fault.
  const read = async () => {
    const answer = await api
      .call(chatRoutes.get, { params: { id: one.chatId }, query: { limit: 50 } })
      .catch(() => undefined)
    return answer?.status === 200 ? answer.body : undefined
  }
  const { messages } = await waitUntil(read, `the chat of ${one.said}`, limitMs, 500)
  const stored = messages.find(({ id }) => id === one.messageId)
  const asked = messages.filter(({ role, content }) => role === 'user' && content === one.said)
  return [
    ...(asked.length === 1 ? [] : [fault(`its question is stored ${asked.length} times`)]),
    ...one.disorder.map((what) => fault(`event ${what}`)),
    ...(one.ending === 'error' && !mayBreak ? [fault(`it was interrupted: ${one.failure}`)] : []),
    ...(stored?.content === one.text ? [] : [fault('other text was stored than was read')]),
  ]
}
