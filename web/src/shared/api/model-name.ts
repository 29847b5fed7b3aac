import type { Hierarchy } from '@parley/contracts'

/** The name of a model as people know it; null when the registry does not have it. */
export const modelNameIn = ({ providers }: Hierarchy, id: string | null): string | null =>
  providers.flatMap(({ groups }) => groups.flatMap(({ models }) => models)).find((model) => model.id === id)?.name ??
  null
