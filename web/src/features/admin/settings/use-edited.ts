import { useState } from 'react'

/**
 * One setting while it is being changed. It follows what is saved until somebody types; from then on what others save is told as `isOverrun`
 * and overwrites nothing.
 */
export function useEdited<Value>(saved: Value) {
  const [edit, setEdit] = useState<{ readonly from: Value; readonly to: Value } | null>(null)
  const isEdited = edit !== null && edit.to !== saved
  return {
    value: isEdited ? edit.to : saved,
    isEdited,
    /** Somebody else saved another value since this one was begun. */
    isOverrun: isEdited && edit.from !== saved,
    change: (to: Value) => setEdit({ from: isEdited ? edit.from : saved, to }),
    drop: () => setEdit(null),
  }
}
