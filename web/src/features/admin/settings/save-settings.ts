import type { SettingsPatch } from '@parley/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { request } from '../../../shared/api/index.ts'
import type { MessageId } from '../../../shared/i18n/index.ts'
import { calls } from '../data/calls.ts'
import { useAct } from '../data/use-act.ts'
import { settingsQuery } from './settings-query.ts'

/** Saves a part of the settings; returns whether it succeeded. */
export type SaveSettings = (patch: SettingsPatch) => Promise<boolean>

/**
 * Saves settings one after the other, with the messages after success and failure. What is stored is shown with its version at once: until a reload,
 * another setting would be saved by the old version and be refused as if another admin had changed it.
 */
export function useSaveSettings(): {
  readonly saving: (done: MessageId, failed: MessageId) => SaveSettings
  readonly busy: boolean
} {
  const client = useQueryClient()
  const { act, busy } = useAct()
  const saving =
    (done: MessageId, failed: MessageId): SaveSettings =>
    (body) => {
      const save = async (requestId: string) => {
        const stored = await request(calls.updateSettings, { body, requestId })
        // A reload that is under way has older settings.
        await client.cancelQueries(settingsQuery)
        client.setQueryData(settingsQuery.queryKey, stored)
      }
      return act(save, { done: (now) => now(done), failed: (now) => now(failed), undo: true })
    }
  return { saving, busy }
}
