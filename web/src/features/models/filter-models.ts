import type { Hierarchy, HierarchyModel, ProviderId } from '@parley/contracts'

/** Models under one heading of the picker. */
export interface ModelGroup {
  readonly key: string
  readonly provider: ProviderId
  readonly providerName: string
  readonly name: string
  /** What the operator says of the provider; null for nothing. */
  readonly notice: string | null
  readonly models: readonly HierarchyModel[]
}

/** The text models by provider and group that have every word of the query in their names; groups without any are left out. */
export function filterModels(hierarchy: Hierarchy, query: string): ModelGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return hierarchy.providers.flatMap((provider) =>
    provider.groups
      .map((group) => ({
        key: `${provider.id}/${group.name}`,
        provider: provider.id,
        providerName: provider.name,
        name: group.name,
        notice: provider.notice,
        models: group.models.filter((model) => {
          const text = `${provider.name} ${group.name} ${model.name} ${model.id}`.toLowerCase()
          return model.modelType === 'text' && words.every((word) => text.includes(word))
        }),
      }))
      .filter((group) => group.models.length > 0),
  )
}
