import { useQuery } from '@tanstack/react-query'
import { hierarchyQuery, modelNameIn } from '../../shared/api/index.ts'

/** Gives a model's name as people know it, or its id where the registry does not have it. */
export function useModelNames(): (id: string) => string {
  const { data } = useQuery(hierarchyQuery)
  return (id) => (data && modelNameIn(data, id)) ?? id
}
