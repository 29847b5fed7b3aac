import type { MemorySettings, MemorySettingsPatch } from '@parley/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { endpoints, memoryKey, request } from '../../../shared/api/index.ts'
import { settingsQuery } from '../queries.ts'
import { patched } from './pattern-changes.ts'

/** A change of the settings as they are when it is sent: a patch replaces all of the user's own patterns. */
type PatchOf = (settings: MemorySettings) => MemorySettingsPatch

/**
 * The settings with pending changes. Changes are saved one after the other, so that none reverts another. `save` rejects with the server's refusal;
 * `change` is shown at once, and `onFail` is called if it could not be saved and was reverted.
 */
export function useSettings(onFail: (error: unknown) => void) {
  const client = useQueryClient()
  const query = useQuery(settingsQuery)
  const [pending, setPending] = useState<readonly PatchOf[]>([])
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const save = (patchOf: PatchOf): Promise<void> => {
    const saving = async () => {
      // Not those that are shown: another device may have changed them since, of which nothing tells.
      const body = patchOf(await client.fetchQuery({ ...settingsQuery, staleTime: 0 }))
      const stored = await request(endpoints.changeMemorySettings, { body })
      // A reload that is under way has older settings.
      await client.cancelQueries(settingsQuery)
      client.setQueryData(settingsQuery.queryKey, stored)
      void client.invalidateQueries({ queryKey: [...memoryKey, 'suggestions'] })
    }
    const saved = last.current.then(saving, saving)
    last.current = saved
    return saved
  }
  const change = (patchOf: PatchOf): void => {
    setPending((before) => [...before, patchOf])
    void save(patchOf)
      .catch(onFail)
      .finally(() => setPending((before) => before.filter((one) => one !== patchOf)))
  }
  const shown = query.data && pending.reduce((now, patchOf) => patched(now, patchOf(now)), query.data)
  return { settings: { ...query, data: shown }, save, change }
}
