import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { isApiError, newTrace, request } from '../../../shared/api/index.ts'
import { type Translate, useText, type Wording } from '../../../shared/i18n/index.ts'
import { getSession } from '../../../shared/session/index.ts'
import { notify } from '../../../shared/ui/index.ts'
import { adminKey } from './admin-query.ts'
import { calls } from './calls.ts'
import { failureText } from './failure-text.ts'

/** A call that changes something, sent with the given request id. */
type Call = (requestId: string) => Promise<unknown>

interface Words {
  /** The message after success. */
  readonly done: Wording
  /** The message before the server's after a failure. */
  readonly failed: Wording
  /** Offers Undo for 8 s. */
  readonly undo?: boolean
  /** Explains the failure instead of the server's message; called once. */
  readonly explain?: (error: unknown) => Wording
}

/** The most concurrent calls when many rows are changed. */
const atOnce = 4
const undoMs = 8_000
/** Not the id of the toast whose button was pressed, as the press closes that toast. */
const undoToast = 'admin-undo'
/** Actions of other services reach the audit log as events: the milliseconds between lookups, and their number. */
const auditLookMs = 400
const auditLooks = 12

/**
 * Performs an admin's actions one after the other: one call each, or one per selected row. Afterwards the shown data is reloaded, whatever the result.
 * Resolves to whether all calls succeeded. `asked` is the question of the open dialog, if an action needs input or confirmation: success closes it, and
 * after a failure it stays open for another try, with the error, which it would cover as a toast.
 * @param remaining reduces the question to those of its items, by index, for which the action failed
 */
export function useAct<Question = never>(
  remaining: (question: Question, failed: readonly number[]) => Question = (question) => question,
) {
  const client = useQueryClient()
  const { t } = useText()
  const [waiting, setWaiting] = useState(0)
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const [asked, setAsked] = useState<Question | null>(null)
  const [failure, setFailure] = useState<{ readonly words: Wording }>()
  const open = useRef<Question | null>(null)
  const show = (question: Question | null, words?: Wording) => {
    open.current = question
    setAsked(question)
    setFailure(words && { words })
  }
  const run = (work: readonly Call[], words: Words): Promise<boolean> => {
    const question = open.current
    const isStillOpen = () => question !== null && open.current === question
    setFailure(undefined)
    // At once, so that the second click of a double click finds the button busy.
    flushSync(() => setWaiting((acts) => acts + 1))
    const act = async (): Promise<boolean> => {
      try {
        const { done, failures } = await runAll(work)
        const [first] = failures
        if (first === undefined) {
          if (isStillOpen()) show(null)
          const action = { label: (now: Translate) => now('admin.undo'), onClick: () => void undo(client, done) }
          notify.success(words.done, { id: 'admin', ...(words.undo && { duration: undoMs, action }) })
          return true
        }
        const failed: Wording = (now) =>
          done.length > 0
            ? now('admin.partly', { failed: words.failed(now), count: failures.length })
            : words.failed(now)
        const text = words.explain?.(first.error) ?? ((now) => failureText(first.error, failed(now), now))
        const places = failures.map(({ place }) => place)
        if (question !== null && isStillOpen()) show(remaining(question, places), text)
        else notify.error(text, { id: 'admin' })
        return false
      } finally {
        setWaiting((acts) => acts - 1)
        void client.invalidateQueries({ queryKey: adminKey })
      }
    }
    const ended = last.current.then(act, act)
    last.current = ended
    return ended
  }
  return {
    act: (call: Call, words: Words) => run([call], words),
    actOnEach: <Row>(rows: readonly Row[], call: (row: Row, requestId: string) => Promise<unknown>, words: Words) =>
      run(
        rows.map((row) => (requestId: string) => call(row, requestId)),
        words,
      ),
    busy: waiting > 0,
    asked,
    ask: (question: Question | null) => show(question),
    /** Why the action of the open dialog failed. */
    failure: failure?.words(t),
  }
}

/** Runs a few calls at a time. Returns the request ids of those that succeeded, and the errors of the others in order. */
async function runAll(
  work: readonly Call[],
): Promise<{ done: string[]; failures: { place: number; error: unknown }[] }> {
  const waiting = [...work.entries()]
  const done: string[] = []
  const failures: { place: number; error: unknown }[] = []
  const runner = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [place, call] = next
      const { id: requestId } = newTrace()
      try {
        await call(requestId)
        done.push(requestId)
      } catch (error) {
        failures.push({ place, error })
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, runner))
  return { done, failures: failures.sort((a, b) => a.place - b.place) }
}

async function undo(client: QueryClient, requestIds: readonly string[]): Promise<void> {
  try {
    for (const id of await findEntries(requestIds)) await request(calls.undo, { params: { id } })
    notify.success((now) => now('admin.undone'), { id: undoToast })
  } catch (error) {
    notify.error(undoFailure(error), { id: undoToast })
  } finally {
    void client.invalidateQueries({ queryKey: adminKey })
  }
}

/** Why an action could not be undone, including what has changed since. */
export function undoFailure(error: unknown): Wording {
  const changes = isApiError(error) ? error.details.map(({ path, message }) => `${path}: ${message}`) : []
  return (now) => [failureText(error, now('admin.undoFailed'), now), ...changes].join('\n')
}

/** The audit entries of these calls. Throws if they do not appear there. */
async function findEntries(requestIds: readonly string[]): Promise<string[]> {
  const wanted = new Set(requestIds)
  for (let look = 0; look < auditLooks; look += 1) {
    const query = { actor: getSession().user?._id, limit: Math.min(200, wanted.size + 20) }
    const { entries } = await request(calls.audit, { query })
    const found = entries.filter(({ requestId, reversible }) => reversible && wanted.has(requestId))
    if (found.length >= wanted.size) return found.map(({ id }) => id)
    await new Promise((resolve) => setTimeout(resolve, auditLookMs))
  }
  throw new Error('The audit log has no such entry')
}
