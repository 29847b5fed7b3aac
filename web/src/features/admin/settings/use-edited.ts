import { useTabDraft } from '../data/use-tab-draft.ts'

/**
 * The edited value of one setting, kept in this tab under `name`. It follows the saved value until the user edits it; from then on, other admins'
 * changes are reported as `isOverrun` and do not replace the edit.
 */
export function useEdited<Value>(name: string, saved: Value, same: (a: Value, b: Value) => boolean = Object.is) {
  const [edit, keep] = useTabDraft<{ readonly from: Value; readonly to: Value }>(`setting:${name}`)
  const isEdited = edit !== null && !same(edit.to, saved)
  return {
    value: isEdited ? edit.to : saved,
    isEdited,
    /** Another admin has saved a different value since editing began. */
    isOverrun: isEdited && !same(edit.from, saved),
    change: (to: Value) => keep(same(to, saved) ? null : { from: isEdited ? edit.from : saved, to }),
    drop: () => keep(null),
  }
}
