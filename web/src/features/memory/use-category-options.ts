import type { MemoryCategory } from '@parley/contracts'
import { memoryCategories } from '@parley/contracts/memory-constants'
import { useText } from '../../shared/i18n/index.ts'

/** The categories with their localised names. */
export function useCategoryOptions(): readonly { readonly name: MemoryCategory; readonly text: string }[] {
  const { t } = useText()
  return memoryCategories.map((name) => ({ name, text: t(`memory.category.${name}`) }))
}
