import type { ApiKey } from '@parley/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { endpoints, keysQuery, messageOf, request, unlessGone } from '../../../shared/api/index.ts'
import { type MessageId, useText, type Wording } from '../../../shared/i18n/index.ts'
import { notify } from '../../../shared/ui/index.ts'
import { endOfDay, localDate } from './key-dates.ts'
import type { KeyValues } from './key-form.tsx'
import type { KeyAction } from './key-row.tsx'

/** The subject of the open dialog. */
export type AskedKey = { readonly action: 'create' } | { readonly action: KeyAction; readonly key: ApiKey }

/** A newly created secret, with its key. */
interface ShownSecret {
  readonly label: string
  readonly secret: string
}

/** The initial values in the form of an existing key. */
export const valuesOf = ({ label, expiresAt }: ApiKey): KeyValues => ({
  label,
  expiresAt: expiresAt === null ? '' : localDate(new Date(expiresAt)),
})

const expiryOf = ({ expiresAt }: KeyValues): string | null => (expiresAt === '' ? null : endOfDay(expiresAt))

/**
 * Loads and changes the user's keys: the open dialog and why its change failed, the visible secrets, newest first, and each change.
 * @param focusAfter a row that is about to be removed
 */
export function useKeyActions(focusAfter: (place: number) => void) {
  const client = useQueryClient()
  const { t } = useText()
  const [asked, setAsked] = useState<AskedKey | null>(null)
  const [failure, setFailure] = useState<{ readonly words: Wording }>()
  const open = useRef<AskedKey | null>(null)
  const ask = (question: AskedKey | null) => {
    open.current = question
    setAsked(question)
    setFailure(undefined)
  }
  const [shown, setShown] = useState<readonly ShownSecret[]>([])
  const show = (secret: ShownSecret) => setShown((before) => [secret, ...before])
  const hide = (secret: ShownSecret) => setShown((before) => before.filter((one) => one !== secret))
  const [busy, setBusy] = useState(false)
  const setKeys = (change: (keys: ApiKey[]) => ApiKey[]) => {
    client.setQueryData(keysQuery.queryKey, (keys) => keys && change(keys))
    void client.invalidateQueries({ queryKey: keysQuery.queryKey })
  }
  const replace = (key: ApiKey) => setKeys((keys) => keys.map((one) => (one.id === key.id ? key : one)))
  const attempt = async (fallback: MessageId, work: () => Promise<void>) => {
    setBusy(true)
    setFailure(undefined)
    try {
      await work()
    } catch (error) {
      const words: Wording = (now) => messageOf(error, now(fallback))
      // A toast would be covered by the dialog.
      if (open.current) setFailure({ words })
      else notify.error(words, { id: 'profile' })
      void client.invalidateQueries({ queryKey: keysQuery.queryKey })
    } finally {
      setBusy(false)
    }
  }
  const create = async (values: KeyValues) => {
    const body = { label: values.label, expiresAt: expiryOf(values) }
    const { key, secret } = await request(endpoints.createKey, { body })
    ask(null)
    show({ label: key.label, secret })
    setKeys((keys) => [key, ...keys])
  }
  const update = async (before: ApiKey, values: KeyValues) => {
    const isExpiryKept = values.expiresAt === valuesOf(before).expiresAt
    const body = { label: values.label, ...(isExpiryKept ? {} : { expiresAt: expiryOf(values) }) }
    const { key } = await request(endpoints.updateKey, { params: { id: before.id }, body })
    ask(null)
    replace(key)
    notify.success((now) => now('keys.saved'), { id: 'profile' })
  }
  const rotate = (before: ApiKey, overlapMinutes: number) =>
    attempt('keys.rotate.failed', async () => {
      const { key, secret } = await request(endpoints.rotateKey, {
        params: { id: before.id },
        body: { overlapMinutes },
      })
      ask(null)
      show({ label: key.label, secret })
      replace(key)
    })
  const revoke = (before: ApiKey) =>
    attempt('keys.revoke.failed', async () => {
      await request(endpoints.revokeKey, { params: { id: before.id } }).catch(unlessGone)
      // Closed first: an open dialog keeps the focus inside.
      flushSync(() => ask(null))
      focusAfter(client.getQueryData(keysQuery.queryKey)?.findIndex(({ id }) => id === before.id) ?? 0)
      setKeys((keys) => keys.filter(({ id }) => id !== before.id))
      notify.success((now) => now('keys.revoked'), { id: 'profile' })
    })
  return { asked, ask, failure: failure?.words(t), shown, hide, busy, create, update, rotate, revoke }
}
