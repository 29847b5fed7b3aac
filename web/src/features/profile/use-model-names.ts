import { useQuery } from '@tanstack/react-query'
import { hierarchyQuery, modelNameIn } from '../../shared/api/index.ts'

/** Returns a model's display name, or its id if the registry does not have it. */
export function useModelNames(): (id: string) => string {
  const { data } = useQuery(hierarchyQuery)
  return (id) => (data && modelNameIn(data, id)) ?? id
}
