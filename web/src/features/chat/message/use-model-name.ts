import { useQuery } from '@tanstack/react-query'
import { hierarchyQuery } from '../../../shared/api/index.ts'

/** The name of a model as people know it; null while the registry is not known or does not have it. */
export function useModelName(id: string | null): string | null {
  const { data = null } = useQuery({
    ...hierarchyQuery,
    select: ({ providers }) =>
      providers.flatMap(({ groups }) => groups.flatMap(({ models }) => models)).find((model) => model.id === id)
        ?.name ?? null,
  })
  return data
}
