import type { Model } from '@parley/contracts'
import { providers } from './model-values.ts'

/** Rows that are drawn at once. */
export const modelsPerPage = 100

/** Models that the filters leave, by provider, group and name; an empty filter leaves all. */
export function filterModels(
  models: readonly Model[],
  { query, provider, enabled }: { query: string; provider: string; enabled: string },
): Model[] {
  const wanted = query.trim().toLowerCase()
  return models
    .filter(
      (model) =>
        (provider === '' || model.provider === provider) &&
        (enabled === '' || String(model.enabled) === enabled) &&
        [model.id, model.name, model.group, model.description].some((text) => text.toLowerCase().includes(wanted)),
    )
    .sort(
      (a, b) =>
        providers.indexOf(a.provider) - providers.indexOf(b.provider) ||
        a.group.localeCompare(b.group) ||
        a.name.localeCompare(b.name),
    )
}
