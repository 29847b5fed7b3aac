/** The selected chats, and the anchor of a Shift range. */
export interface Selection {
  readonly ids: ReadonlySet<string>
  readonly anchor: string | null
}

export const emptySelection: Selection = { ids: new Set(), anchor: null }

/** The selection after a click: toggles one chat, or with Shift sets the whole range from the anchor to the new state. */
export function toggleChat(selection: Selection, order: readonly string[], id: string, shift: boolean): Selection {
  const ids = new Set(selection.ids)
  const on = !ids.has(id)
  const from = selection.anchor === null || !shift ? -1 : order.indexOf(selection.anchor)
  const to = order.indexOf(id)
  const range = from < 0 || to < 0 ? [id] : order.slice(Math.min(from, to), Math.max(from, to) + 1)
  for (const one of range) {
    if (on) ids.add(one)
    else ids.delete(one)
  }
  return { ids, anchor: id }
}

/** The selection without chats that are no longer listed. */
export function keepListed(selection: Selection, order: readonly string[]): Selection {
  const listed = new Set(order)
  const gone = [...selection.ids].some((id) => !listed.has(id))
  return gone ? { ...selection, ids: new Set([...selection.ids].filter((id) => listed.has(id))) } : selection
}

/** The chat to focus once `id` is removed: the next one, else the previous. */
export function neighbourOf(order: readonly string[], id: string): string | null {
  const at = order.indexOf(id)
  return at < 0 ? null : (order[at + 1] ?? order[at - 1] ?? null)
}

/** The ids in batches of at most `size`. */
export const inPortions = (ids: readonly string[], size: number): string[][] =>
  Array.from({ length: Math.ceil(ids.length / size) }, (_, index) => ids.slice(index * size, (index + 1) * size))
