import { useState } from 'react'
import { isApiError } from '../../../shared/api/index.ts'

/** Notices that another admin has saved what is being edited: by a refresh, or by the refusal of the own save (409). */
export function useConflict<Thing extends { readonly version: number }>(saved: Thing | null) {
  const [base, setBase] = useState(saved?.version)
  const [refusedBy, setRefusedBy] = useState<Thing>()
  return {
    /** The version that is being edited. */
    base,
    /** The present state, if it is another one. */
    current: refusedBy ?? (saved && saved.version !== base ? saved : undefined),
    /** Whether a save was refused because another admin saved first. */
    isRefusal(error: unknown): boolean {
      if (!isApiError(error) || error.status !== 409) return false
      if (typeof error.current !== 'object' || error.current === null) return false
      setRefusedBy(error.current as Thing)
      return true
    },
    /** Continues with the present state as the one that is edited. */
    rebase({ version }: Thing) {
      setBase(version)
      setRefusedBy(undefined)
    },
  }
}
