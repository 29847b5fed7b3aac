import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { isApiError, newTrace, request } from '../../../shared/api/index.ts'
import type { Translate, Wording } from '../../../shared/i18n/index.ts'
import { getSession } from '../../../shared/session/index.ts'
import { notify } from '../../../shared/ui/index.ts'
import { adminKey } from './admin-query.ts'
import { calls } from './calls.ts'
import { failureText } from './failure-text.ts'

/** A call that changes something, sent with the given request id. */
type Call = (requestId: string) => Promise<unknown>

/** The error text of an action, and the indexes of the calls that failed. */
interface Failed {
  readonly text: Wording
  readonly places: readonly number[]
}

/** Shows the failure in the dialog that asked; returns false if that was closed. */
export type ReportFailure = (failed: Failed) => boolean

interface Words {
  /** The message after success. */
  readonly done: Wording
  /** The message before the server's after a failure. */
  readonly failed: Wording
  /** Offers Undo for 8 s. */
  readonly undo?: boolean
  /** Explains the failure instead of the server's message; called once. */
  readonly explain?: (error: unknown) => Wording
  /** Shows the failure in the dialog that asked, which would cover a toast. */
  readonly report?: ReportFailure | undefined
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
 * Performs an admin's action: one call, or one per selected row. Afterwards the shown data is reloaded, whatever the result; further clicks
 * are ignored meanwhile. Returns whether all calls succeeded.
 */
export function useAct() {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const running = useRef(false)
  const run = async (work: readonly Call[], words: Words): Promise<boolean> => {
    if (running.current) return false
    running.current = true
    setBusy(true)
    try {
      const { done, failures } = await runAll(work)
      const [first] = failures
      if (first) {
        const failed: Wording = (now) =>
          done.length > 0
            ? now('admin.partly', { failed: words.failed(now), count: failures.length })
            : words.failed(now)
        const text = words.explain?.(first.error) ?? ((now) => failureText(first.error, failed(now), now))
        const places = failures.map(({ place }) => place)
        if (!words.report?.({ text, places })) notify.error(text, { id: 'admin' })
      } else {
        const action = { label: (now: Translate) => now('admin.undo'), onClick: () => void undo(client, done) }
        notify.success(words.done, {
          id: 'admin',
          ...(words.undo && { duration: undoMs, action }),
        })
      }
      return first === undefined
    } finally {
      running.current = false
      setBusy(false)
      void client.invalidateQueries({ queryKey: adminKey })
    }
  }
  return {
    act: (call: Call, words: Words) => run([call], words),
    actOnEach: <Row>(rows: readonly Row[], call: (row: Row, requestId: string) => Promise<unknown>, words: Words) =>
      run(
        rows.map((row) => (requestId: string) => call(row, requestId)),
        words,
      ),
    busy,
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
