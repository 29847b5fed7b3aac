import { useEffect, useRef, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { isApiError } from '../../../shared/api/index.ts'
import { tabDraft } from './use-tab-draft.ts'

/** Unsaved values of a form, and the version of the thing that they change; undefined for a new one. */
interface FormDraft {
  readonly version?: number
  readonly values: object
}

const draftOf = (name: string) => tabDraft<FormDraft>(`form:${name}`)

/** Drops the unsaved values of a form that was closed. */
export const dropFormDraft = (name: string): void => draftOf(name).write(null)

/**
 * The edit of a saved thing, or of a new one, in a form. Unsaved values are kept in this tab, so that a reload loses nothing, with the version they
 * started from: another admin's save since is noticed by a refresh, or by the refusal of the own save (409). `name` identifies the form.
 */
export function useFormEdit<Values extends FieldValues, Thing extends { readonly version: number }>(
  form: UseFormReturn<Values>,
  name: string,
  saved: Thing | null,
) {
  const [draft] = useState(() => draftOf(name))
  const [restored] = useState(draft.read)
  const [isReady, setReady] = useState(restored === null)
  const [base, setBase] = useState(restored === null ? saved?.version : restored.version)
  const [refusedBy, setRefusedBy] = useState<Thing>()
  const left = useRef(false)
  const { isDirty } = form.formState
  const values = form.watch()
  // biome-ignore lint/correctness/useExhaustiveDependencies: restores the draft once, when the form is opened
  useEffect(() => {
    if (restored !== null) form.reset({ ...form.getValues(), ...restored.values }, { keepDefaultValues: true })
    setReady(true)
  }, [])
  useEffect(() => {
    if (!isReady || left.current) return
    draft.write(isDirty ? { ...(base !== undefined && { version: base }), values } : null)
  })
  return {
    /** The version that is being edited. */
    base,
    /** The present state, if it is another one. */
    current: refusedBy ?? (isReady && saved && saved.version !== base ? saved : undefined),
    /** The form shows unsaved values of an earlier edit. */
    isRestored: restored !== null && isDirty,
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
    /** The form is left, saved or not: nothing of it is kept. */
    leave() {
      left.current = true
      draft.write(null)
    },
  }
}
