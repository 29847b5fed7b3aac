export type Selected = ReadonlySet<string>

export function toggle(selected: Selected, id: string): Selected {
  const next = new Set(selected)
  if (!next.delete(id)) next.add(id)
  return next
}

/** Selects everything listed, or nothing if everything is selected. */
export const toggleAll = (selected: Selected, listed: readonly string[]): Selected =>
  listed.every((id) => selected.has(id)) ? new Set() : new Set(listed)

/** Drops memories that are no longer listed, so that no unseen one is removed. */
export function keepListed(selected: Selected, listed: readonly string[]): Selected {
  const known = new Set(listed)
  const kept = [...selected].filter((id) => known.has(id))
  return kept.length === selected.size ? selected : new Set(kept)
}
