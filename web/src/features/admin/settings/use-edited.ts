import { useState } from 'react'

/**
 * The edited value of one setting. It follows the saved value until the user edits it; from then on, other admins' changes are reported as
 * `isOverrun` and do not replace the edit.
 */
export function useEdited<Value>(saved: Value) {
  const [edit, setEdit] = useState<{ readonly from: Value; readonly to: Value } | null>(null)
  const isEdited = edit !== null && edit.to !== saved
  return {
    value: isEdited ? edit.to : saved,
    isEdited,
    /** Another admin has saved a different value since editing began. */
    isOverrun: isEdited && edit.from !== saved,
    change: (to: Value) => setEdit({ from: isEdited ? edit.from : saved, to }),
    drop: () => setEdit(null),
  }
}
