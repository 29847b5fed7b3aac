import type { Model } from '@parley/contracts'
import { providers } from './model-values.ts'

/** The most rows that are rendered at once. */
export const modelsPerPage = 100

/** The models that match the filters, by provider, group and name; an empty filter matches all. */
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
