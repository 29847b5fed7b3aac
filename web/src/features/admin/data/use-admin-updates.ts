import { useQueryClient } from '@tanstack/react-query'
import { useServerEvent } from '../../../shared/live/index.ts'
import { adminKey } from './admin-query.ts'

/** Reloads the shown data as soon as the server reports an act of an admin, or a change of models, settings, users or rights. */
export function useAdminUpdates(): void {
  const client = useQueryClient()
  const refetch = () => void client.invalidateQueries({ queryKey: adminKey })
  useServerEvent('models:update', refetch)
  useServerEvent('users:update', refetch)
  useServerEvent('user:update', refetch)
}
