import { useState } from 'react'
import { parseStored, privatePrefix, readTab, writeTab } from '../../../shared/session/index.ts'

/** Unsaved input, kept in this tab so that neither another section nor a reload loses it; null for none. `name` identifies it. */
export function tabDraft<Draft extends object>(name: string) {
  const key = `${privatePrefix}admin-draft:${name}`
  return {
    read: (): Draft | null => {
      const stored = parseStored(readTab(key))
      return typeof stored === 'object' ? (stored as Draft | null) : null
    },
    write: (draft: Draft | null): void => writeTab(key, draft && JSON.stringify(draft)),
  }
}

/** A `tabDraft` as state. */
export function useTabDraft<Draft extends object>(name: string): readonly [Draft | null, (next: Draft | null) => void] {
  const [stored] = useState(() => tabDraft<Draft>(name))
  const [draft, setDraft] = useState(stored.read)
  const change = (next: Draft | null): void => {
    stored.write(next)
    setDraft(next)
  }
  return [draft, change]
}
