import { useEffect } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { parseStored, privatePrefix, readTab, writeTab } from '../../../shared/session/index.ts'

/** Keeps the values of a form in this tab until it is saved or dropped, so that a reload loses nothing. `name` identifies the form. */
export function useFormDraft<Values extends FieldValues>(form: UseFormReturn<Values>, name: string) {
  const key = `${privatePrefix}admin-form:${name}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: restores the draft once, when the form is opened
  useEffect(() => {
    const stored = parseStored(readTab(key))
    if (typeof stored === 'object' && stored !== null) {
      form.reset({ ...form.getValues(), ...stored }, { keepDefaultValues: true })
    }
    const subscription = form.watch((values) => writeTab(key, JSON.stringify(values)))
    return () => subscription.unsubscribe()
  }, [key])
  return { drop: () => writeTab(key, null) }
}
