import type { Hierarchy, HierarchyModel, ProviderId } from '@parley/contracts'

/** A group of models in the picker. */
export interface ModelGroup {
  readonly key: string
  readonly provider: ProviderId
  readonly providerName: string
  readonly name: string
  /** The operator's notice about the provider; null for none. */
  readonly notice: string | null
  readonly models: readonly HierarchyModel[]
}

/** The text models, by provider and group, whose names contain every word of the query; empty groups are dropped. */
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
