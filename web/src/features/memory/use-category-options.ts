import type { MemoryCategory } from '@parley/contracts'
import { useText } from '../../shared/i18n/index.ts'
import { categories } from './categories.ts'

/** The categories with their localised names. */
export function useCategoryOptions(): readonly { readonly name: MemoryCategory; readonly text: string }[] {
  const { t } = useText()
  return categories.map((name) => ({ name, text: t(`memory.category.${name}`) }))
}
