import { useQuery } from '@tanstack/react-query'
import { hierarchyQuery, modelNameIn } from '../../../shared/api/index.ts'

/** A model's display name; null while the registry is not loaded or lacks it. */
export function useModelName(id: string | null): string | null {
  const { data = null } = useQuery({ ...hierarchyQuery, select: (hierarchy) => modelNameIn(hierarchy, id) })
  return data
}
