import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { isApiError, request } from '../../../shared/api/index.ts'
import { type Translate, useText } from '../../../shared/i18n/index.ts'
import { getSession } from '../../../shared/session/index.ts'
import { notify } from '../../../shared/ui/index.ts'
import { adminKey } from './admin-query.ts'
import { calls } from './calls.ts'
import { failureText } from './failure-text.ts'

/** One call that changes something, under the request id that it is given. */
type Call = (requestId: string) => Promise<unknown>

/** Why an act failed in words, and the places of the calls that did. */
interface Failed {
  readonly text: string
  readonly places: readonly number[]
}

/** Says what failed in the dialog that asked; false when that is closed. */
export type ReportFailure = (failed: Failed) => boolean

interface Words {
  /** What to say when all of it worked; of the answer where that depends on it. */
  readonly done: string | (() => string)
  /** What to say before the server's own words when it did not. */
  readonly failed: string
  /** Offers to take it back, for 8 s. */
  readonly undo?: boolean
  /** Says why it did not, in place of the server's own words. */
  readonly explain?: (error: unknown, t: Translate) => string
  /** Says it in the dialog that asked, in place of a toast behind that. */
  readonly report?: ReportFailure | undefined
}

/** Calls that run side by side when many rows are changed at once. */
const atOnce = 4
const undoMs = 8_000
/** Not that of the toast whose button was pressed: that one is being closed by it. */
const undoToast = 'admin-undo'
/** The audit log hears of acts of other services by events: milliseconds between looks, and how many. */
const auditLookMs = 400
const auditLooks = 12

/**
 * Does what an admin asks for: one call, or one for each selected row. What is shown is loaded anew afterwards, whatever came of it; a second
 * click meanwhile does nothing. Answers whether all of it worked.
 */
export function useAct(): { act: (calls: Call | readonly Call[], words: Words) => Promise<boolean>; busy: boolean } {
  const { t } = useText()
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const running = useRef(false)
  const act = async (work: Call | readonly Call[], words: Words): Promise<boolean> => {
    if (running.current) return false
    running.current = true
    setBusy(true)
    try {
      const { done, failures } = await runAll(typeof work === 'function' ? [work] : work)
      const [first] = failures
      if (first) {
        const failed =
          done.length > 0 ? t('admin.partly', { failed: words.failed, count: failures.length }) : words.failed
        const text = words.explain?.(first.error, t) ?? failureText(first.error, failed, t)
        const places = failures.map(({ place }) => place)
        if (!words.report?.({ text, places })) notify.error(text, { id: 'admin' })
      } else {
        const action = { label: t('admin.undo'), onClick: () => void undo(client, done, t) }
        notify.success(typeof words.done === 'string' ? words.done : words.done(), {
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
  return { act, busy }
}

/** Runs calls a few at a time. Answers the request ids of those that worked, and why others did not, in their order. */
async function runAll(
  work: readonly Call[],
): Promise<{ done: string[]; failures: { place: number; error: unknown }[] }> {
  const waiting = [...work.entries()]
  const done: string[] = []
  const failures: { place: number; error: unknown }[] = []
  const runner = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [place, call] = next
      const requestId = crypto.randomUUID()
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

async function undo(client: QueryClient, requestIds: readonly string[], t: Translate): Promise<void> {
  try {
    for (const id of await findEntries(requestIds)) await request(calls.undo, { params: { id } })
    notify.success(t('admin.undone'), { id: undoToast })
  } catch (error) {
    notify.error(undoFailure(error, t), { id: undoToast })
  } finally {
    void client.invalidateQueries({ queryKey: adminKey })
  }
}

/** Why an act could not be taken back, with what has changed since. */
export function undoFailure(error: unknown, t: Translate): string {
  const changes = isApiError(error) ? error.details.map(({ path, message }) => `${path}: ${message}`) : []
  return [failureText(error, t('admin.undoFailed'), t), ...changes].join('\n')
}

/** The entries of the audit log that these calls made. Throws when they do not arrive there. */
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
