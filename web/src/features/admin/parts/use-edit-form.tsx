import { useEffect, useRef, useState } from 'react'
import { type DefaultValues, type FieldValues, type Path, useForm } from 'react-hook-form'
import { isApiError } from '../../../shared/api/index.ts'
import { FormAlert, placeErrors } from '../../../shared/forms/index.ts'
import { type MessageId, useText, type Wording } from '../../../shared/i18n/index.ts'
import { failureText } from '../data/failure-text.ts'
import { ownError } from '../data/field-error.ts'
import { useAct } from '../data/use-act.ts'
import { tabDraft } from '../data/use-tab-draft.ts'
import { ConflictNotice } from './conflict-notice.tsx'
import { RestoredNotice } from './restored-notice.tsx'

/** Unsaved values of a form, and the version of the thing that they change; undefined for a new one. */
interface FormDraft {
  readonly version?: number
  readonly values: object
}

const draftOf = (name: string) => tabDraft<FormDraft>(`form:${name}`)

/** Drops the unsaved values of a form that was closed. */
export const dropFormDraft = (name: string): void => draftOf(name).write(null)

interface Options<Values extends FieldValues, Thing> {
  /** Identifies the unsaved values. */
  readonly name: string
  /** The present thing; null for a new one. */
  readonly saved: Thing | null
  readonly initial: Values
  readonly valuesOf: (thing: Thing) => Values
  /** The thing that values stand for, as it is compared with the present one. */
  readonly thingOf: (values: Values) => object
  /** The fields that the server would reject, each with the id of its text. */
  readonly faultsOf: (values: Values) => readonly (readonly [field: Path<Values>, fault: MessageId])[]
  /** @param version that is being edited; undefined for a new thing */
  readonly save: (values: Values, version: number | undefined, requestId: string) => Promise<unknown>
  readonly done: MessageId
  readonly failed: MessageId
  /** Why saving failed; by default in the server's words. */
  readonly explain?: (error: unknown) => Wording
  readonly onSaved: () => void
}

/**
 * The form of a saved thing, or of a new one. Unsaved values are kept in this tab, so that a reload loses nothing, with the version they started from:
 * another admin's save since is noticed by a refresh, or by the refusal of the own save (409), and shown before either is overwritten. `notices` says
 * what is to be known before the fields.
 */
export function useEditForm<Values extends FieldValues, Thing extends { readonly version: number }>(
  options: Options<Values, Thing>,
) {
  const { saved, initial, valuesOf, thingOf, faultsOf, done, failed } = options
  const { t } = useText()
  const form = useForm<Values>({ defaultValues: initial as DefaultValues<Values> })
  const { act, busy } = useAct()
  const [alert, setAlert] = useState<{ readonly words: Wording }>()
  const [draft] = useState(() => draftOf(options.name))
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
  /** The present state, if it is not the one that is edited. */
  const current = refusedBy ?? (isReady && saved && saved.version !== base ? saved : undefined)
  const rebase = ({ version }: Thing) => {
    setBase(version)
    setRefusedBy(undefined)
  }
  const take = (thing: Thing) => {
    rebase(thing)
    form.reset(valuesOf(thing))
  }
  if (current && !isDirty && current === saved) take(current)
  const leave = () => {
    left.current = true
    draft.write(null)
  }
  const explain = (error: unknown): Wording => {
    if (isApiError(error) && error.status === 409 && typeof error.current === 'object' && error.current !== null) {
      setRefusedBy(error.current as Thing)
      return (now) => now('admin.conflict.title')
    }
    const fields = Object.keys(initial) as Path<Values>[]
    for (const { field, message } of placeErrors(error, { fields, byCode: {}, fallback: t(failed) })) {
      if (field !== 'root') form.setError(field, { type: 'server', message }, { shouldFocus: true })
    }
    const words = options.explain?.(error) ?? ((now) => failureText(error, now(failed), now))
    setAlert({ words })
    return words
  }
  const save = (version: number | undefined) =>
    form.handleSubmit(async (entered) => {
      setAlert(undefined)
      const faults = faultsOf(entered)
      faults.forEach(([field, fault], index) => {
        form.setError(field, ownError(fault), { shouldFocus: index === 0 })
      })
      if (faults.length > 0) return setAlert({ words: (now) => now('registry.faults') })
      const isSaved = await act((requestId) => options.save(entered, version, requestId), {
        ...{ done: (now) => now(done), failed: (now) => now(failed), explain, undo: saved !== null },
      })
      if (!isSaved) return
      leave()
      options.onSaved()
    })()
  const notices = (
    <>
      <FormAlert message={alert?.words(t)} />
      {restored !== null && isDirty && !current && <RestoredNotice onDiscard={() => form.reset()} />}
      {current && !busy && (
        <ConflictNotice
          current={current}
          mine={{ ...current, ...thingOf(form.getValues()) }}
          onKeep={() => {
            rebase(current)
            void save(current.version)
          }}
          onTake={() => take(current)}
        />
      )}
    </>
  )
  /** `leave` drops the unsaved values. */
  return { form, submit: () => void save(base), busy, leave, notices }
}
