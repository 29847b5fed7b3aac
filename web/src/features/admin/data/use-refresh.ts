import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../../shared/ui/index.ts'
import { adminKey } from './admin-query.ts'
import { failureText } from './failure-text.ts'

/** Reloads all shown data on request, and reports the result. */
export function useRefresh(): { refresh: () => void; busy: boolean } {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const refresh = async () => {
    setBusy(true)
    try {
      await client.refetchQueries({ queryKey: adminKey, type: 'active' }, { throwOnError: true })
      notify.success((now) => now('admin.refreshed'), { id: 'admin' })
    } catch (error) {
      notify.error((now) => failureText(error, now('admin.failed'), now), { id: 'admin' })
    } finally {
      setBusy(false)
    }
  }
  return { refresh: () => void refresh(), busy }
}
