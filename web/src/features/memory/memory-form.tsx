import type { MemoryCategory } from '@parley/contracts'
import { maxMemoryLength } from '@parley/contracts/memory-constants'
import { CircleAlert } from 'lucide-react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { detailOf, messageOf } from '../../shared/api/index.ts'
import { type MessageId, useText, type Wording } from '../../shared/i18n/index.ts'
import { isComposing } from '../../shared/keyboard/index.ts'
import { Button, classNames, SelectField } from '../../shared/ui/index.ts'
import { useCategoryOptions } from './use-category-options.ts'

export interface MemoryValues {
  readonly text: string
  readonly category: MemoryCategory
}

interface Props {
  readonly before: MemoryValues
  readonly submitLabel: string
  /** The text if the server sends none with a refusal. */
  readonly fallback: MessageId
  /** Rejects with the server's refusal, which is shown at the field. */
  readonly submit: (values: MemoryValues) => Promise<void>
  readonly onCancel: () => void
}

export function MemoryForm({ before, submitLabel, fallback, submit, onCancel }: Props) {
  const { t } = useText()
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(before.text)
  const [category, setCategory] = useState<MemoryCategory>(before.category)
  const [refusal, setRefusal] = useState<{ readonly words: Wording } | null>(null)
  const [busy, setBusy] = useState(false)
  const options = useCategoryOptions()
  useEffect(() => field.current?.focus(), [])
  const excess = text.trim().length - maxMemoryLength
  const error = excess > 0 ? t('memory.form.long', { count: excess }) : (refusal?.words(t) ?? null)
  const refuse = (words: Wording) => {
    setRefusal({ words })
    field.current?.focus()
  }
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (excess > 0) return field.current?.focus()
    if (text.trim() === '') return refuse((now) => now('memory.form.empty'))
    setBusy(true)
    try {
      await submit({ text: text.trim(), category })
    } catch (error) {
      setBusy(false)
      refuse(
        (now) =>
          detailOf(error, (path) => path === 'text', now('auth.invalid.form')) ?? messageOf(error, now(fallback)),
      )
    }
  }
  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)}>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {t('memory.form.text')}
      </label>
      <textarea
        ref={field}
        id={id}
        dir="auto"
        rows={3}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setRefusal(null)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || isComposing(event.nativeEvent)) return
          event.stopPropagation()
          event.preventDefault()
          onCancel()
        }}
        aria-invalid={error !== null || undefined}
        aria-describedby={`${id}-note`}
        className={classNames(
          'field-sizing-content block max-h-60 min-h-20 w-full resize-none rounded-card border bg-overlay px-3 py-2 text-base max-md:text-[1rem]',
          error ? 'border-danger' : 'border-field-line',
        )}
      />
      <p
        id={`${id}-note`}
        role={error ? 'alert' : undefined}
        className={classNames('mt-1.5 flex gap-1.5 text-sm', error ? 'text-danger' : 'text-ink-3')}
      >
        {error && <CircleAlert className="mt-0.5 size-3.75 shrink-0" />}
        <span>{error ?? t('memory.form.hint')}</span>
      </p>
      <div className="mt-3 flex flex-wrap items-end justify-between gap-3">
        <SelectField
          label={t('memory.form.category')}
          options={options}
          value={category}
          onChange={setCategory}
          className="min-w-44"
        />
        <div className="ms-auto flex gap-2">
          <Button onClick={onCancel}>{t('shared.cancel')}</Button>
          <Button type="submit" look="primary" busy={busy}>
            {submitLabel}
          </Button>
        </div>
      </div>
    </form>
  )
}
