import type { Hierarchy } from '@parley/contracts'

/** A model's display name; null if it is not in the registry. */
export const modelNameIn = ({ providers }: Hierarchy, id: string | null): string | null =>
  providers.flatMap(({ groups }) => groups.flatMap(({ models }) => models)).find((model) => model.id === id)?.name ??
  null
