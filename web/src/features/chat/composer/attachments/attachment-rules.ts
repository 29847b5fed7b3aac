import type { Attachment, HierarchyModel } from '@parley/contracts'

/** Files of one message. */
export const maxFiles = 10
/** Bytes of one file. */
export const maxFileBytes = 10 * 1024 * 1024

/** Media types that can be attached, as a file picker wants them. */
export const acceptedTypes = 'image/png,image/jpeg,image/webp,image/gif,application/pdf'
const accepted = new Set(acceptedTypes.split(','))

/** What is known of a file before it is read. */
export type FileFacts = Pick<File, 'name' | 'size' | 'type'>

/** Why a file cannot be attached; `format` is what people call its type, empty when it has no ending. */
export type FileFault =
  | { readonly type: 'format'; readonly format: string }
  | { readonly type: 'size' }
  | { readonly type: 'empty' }
  | { readonly type: 'count' }

const formatOf = ({ name, type }: FileFacts): string =>
  (/\.(\w{1,8})$/.exec(name)?.[1] ?? type.split('/')[1] ?? '').toUpperCase()

/** What stands against attaching a file where `count` files are attached already; null for nothing. */
export function faultOf(file: FileFacts, count: number): FileFault | null {
  if (!accepted.has(file.type)) return { type: 'format', format: formatOf(file) }
  if (file.size === 0) return { type: 'empty' }
  if (file.size > maxFileBytes) return { type: 'size' }
  return count >= maxFiles ? { type: 'count' } : null
}

/** Whether a model can be shown these files. */
export const canRead = (model: HierarchyModel, files: readonly Pick<Attachment, 'type'>[]): boolean =>
  files.every(({ type }) => (type === 'image' ? model.supportsImageAttachments : model.supportsFileAttachments))

/** The cheapest usable model that can be shown these files; null when there is none. */
export const readerOf = (
  models: readonly HierarchyModel[],
  files: readonly Pick<Attachment, 'type'>[],
): HierarchyModel | null =>
  models
    .filter((model) => !model.locked && canRead(model, files))
    .toSorted((one, other) => one.creditsPerMessage - other.creditsPerMessage)[0] ?? null
