import type { Attachment, HierarchyModel } from '@parley/contracts'

export const maxFiles = 10
export const maxFileBytes = 10 * 1024 * 1024

/** Media types that can be attached, in the format of a file input. */
export const acceptedTypes = 'image/png,image/jpeg,image/webp,image/gif,application/pdf'
const accepted = new Set(acceptedTypes.split(','))

/** What is known of a file before it is read. */
export type FileFacts = Pick<File, 'name' | 'size' | 'type'>

/** Why a file cannot be attached; `format` is the file's type for display, empty if it has no extension. */
export type FileFault =
  | { readonly type: 'format'; readonly format: string }
  | { readonly type: 'size' }
  | { readonly type: 'empty' }
  | { readonly type: 'count' }

const formatOf = ({ name, type }: FileFacts): string =>
  (/\.(\w{1,8})$/.exec(name)?.[1] ?? type.split('/')[1] ?? '').toUpperCase()

/** Why a file cannot be attached if `count` files already are; null if it can. */
export function faultOf(file: FileFacts, count: number): FileFault | null {
  if (!accepted.has(file.type)) return { type: 'format', format: formatOf(file) }
  if (file.size === 0) return { type: 'empty' }
  if (file.size > maxFileBytes) return { type: 'size' }
  return count >= maxFiles ? { type: 'count' } : null
}

/** Whether a model can read these files. */
export const canRead = (model: HierarchyModel, files: readonly Pick<Attachment, 'type'>[]): boolean =>
  files.every(({ type }) => (type === 'image' ? model.supportsImageAttachments : model.supportsFileAttachments))

/** The cheapest usable model that can read these files; null if there is none. */
export const readerOf = (
  models: readonly HierarchyModel[],
  files: readonly Pick<Attachment, 'type'>[],
): HierarchyModel | null =>
  models
    .filter((model) => !model.locked && canRead(model, files))
    .toSorted((one, other) => one.creditsPerMessage - other.creditsPerMessage)[0] ?? null
