import { useQueryClient } from '@tanstack/react-query'
import { useServerEvent } from '../../../shared/live/index.ts'
import { adminKey } from './admin-query.ts'

/** Asks anew for what is shown as soon as the server says that models, settings or rights changed. */
export function useAdminUpdates(): void {
  const client = useQueryClient()
  const refetch = () => void client.invalidateQueries({ queryKey: adminKey })
  useServerEvent('models:update', refetch)
  useServerEvent('user:update', refetch)
}
