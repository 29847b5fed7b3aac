import { useEffect } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { parseStored, privatePrefix, readTab, writeTab } from '../../../shared/session/index.ts'

/** Keeps what was entered in this tab until it is saved or dropped, so that a reload in the middle of a form loses nothing. `name` is the form's. */
export function useFormDraft<Values extends FieldValues>(form: UseFormReturn<Values>, name: string) {
  const key = `${privatePrefix}admin-form:${name}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: taken up once, when the form is opened
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
