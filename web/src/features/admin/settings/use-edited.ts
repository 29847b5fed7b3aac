import { useState } from 'react'
import { useTabDraft } from '../data/use-tab-draft.ts'

/**
 * The edited value of one setting, kept in this tab under `name`. It follows the saved value until the user edits it; from then on, other admins'
 * changes are reported as `isOverrun` and do not replace the edit.
 */
export function useEdited<Value>(name: string, saved: Value, same: (a: Value, b: Value) => boolean = Object.is) {
  const [edit, keep] = useTabDraft<{ readonly from: Value; readonly to: Value }>(`setting:${name}`)
  const [wasKept, setKept] = useState(edit !== null)
  const isEdited = edit !== null && !same(edit.to, saved)
  const isOverrun = isEdited && !same(edit.from, saved)
  const drop = () => {
    setKept(false)
    keep(null)
  }
  return {
    value: isEdited ? edit.to : saved,
    isEdited,
    /** Another admin has saved a different value since editing began. */
    isOverrun,
    /** The edit is of an earlier visit to the form, and the saved value is still the one that it began with. */
    isRestored: wasKept && isEdited && !isOverrun,
    change: (to: Value) => (same(to, saved) ? drop() : keep({ from: isEdited ? edit.from : saved, to })),
    drop,
  }
}
