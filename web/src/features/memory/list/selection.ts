/** Ids of the memories that are ticked. */
export type Selected = ReadonlySet<string>

/** Ticks a memory, or unticks it. */
export function toggle(selected: Selected, id: string): Selected {
  const next = new Set(selected)
  if (!next.delete(id)) next.add(id)
  return next
}

/** Ticks everything that is listed; where all of it is ticked already, nothing. */
export const toggleAll = (selected: Selected, listed: readonly string[]): Selected =>
  listed.every((id) => selected.has(id)) ? new Set() : new Set(listed)

/** Without what is listed no more: nothing is removed that nobody sees. */
export function keepListed(selected: Selected, listed: readonly string[]): Selected {
  const known = new Set(listed)
  const kept = [...selected].filter((id) => known.has(id))
  return kept.length === selected.size ? selected : new Set(kept)
}
