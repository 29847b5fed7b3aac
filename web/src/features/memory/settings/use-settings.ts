import type { MemorySettings, MemorySettingsPatch } from '@parley/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { endpoints, memoryKey, request } from '../../../shared/api/index.ts'
import { settingsQuery } from '../queries.ts'

/**
 * The settings with pending changes, which are saved in sequence, so that no response reverts a later choice. `onFail` is called for
 * a choice that could not be saved and was reverted.
 */
export function useSettings(onFail: (error: unknown) => void) {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery(settingsQuery)
  const [chosen, choose] = useState<Partial<MemorySettings>>({})
  const saving = useRef({ last: Promise.resolve(), count: 0 })
  const save = async (patch: MemorySettingsPatch): Promise<void> => {
    client.setQueryData(settingsQuery.queryKey, await request(endpoints.changeMemorySettings, { body: patch }))
    void client.invalidateQueries({ queryKey: [...memoryKey, 'suggestions'] })
  }
  const change = (patch: MemorySettingsPatch, shown: Partial<MemorySettings>): void => {
    choose((now) => ({ ...now, ...shown }))
    saving.current.count += 1
    saving.current.last = saving.current.last
      .then(() => save(patch))
      .catch(onFail)
      .finally(() => {
        saving.current.count -= 1
        if (saving.current.count === 0) choose({})
      })
  }
  return { settings: data && { ...data, ...chosen }, error, refetch, save, change }
}
