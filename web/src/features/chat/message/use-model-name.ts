import { useQuery } from '@tanstack/react-query'
import { hierarchyQuery, modelNameIn } from '../../../shared/api/index.ts'

/** The name of a model as people know it; null while the registry is not known or does not have it. */
export function useModelName(id: string | null): string | null {
  const { data = null } = useQuery({ ...hierarchyQuery, select: (hierarchy) => modelNameIn(hierarchy, id) })
  return data
}
