import type { Hierarchy } from '@parley/contracts'

/** The text models, by provider and group, whose names contain every word of the query; empty groups are dropped. */
export function filterModels(hierarchy: Hierarchy, query: string) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return hierarchy.providers.flatMap((provider) =>
    provider.groups
      .map((group) => ({
        key: `${provider.id}/${group.name}`,
        provider: provider.id,
        providerName: provider.name,
        name: group.name,
        /** The operator's notice about the provider; null for none. */
        notice: provider.notice,
        models: group.models.filter((model) => {
          const text = `${provider.name} ${group.name} ${model.name} ${model.id}`.toLowerCase()
          return model.modelType === 'text' && words.every((word) => text.includes(word))
        }),
      }))
      .filter((group) => group.models.length > 0),
  )
}

export type ModelGroup = ReturnType<typeof filterModels>[number]
