import type { MemoryCategory } from '@parley/contracts'
import { maxPatternLength, maxPatternName } from '@parley/contracts/memory-constants'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { detailOf, messageOf } from '../../../shared/api/index.ts'
import { type Translate, useText, type Wording } from '../../../shared/i18n/index.ts'
import { Button, SelectField, TextField } from '../../../shared/ui/index.ts'
import { useCategoryOptions } from '../use-category-options.ts'
import type { PatternValues } from './pattern-changes.ts'

interface Props {
  readonly before?: PatternValues
  /** Rejects with the server's refusal, which is shown at its field. */
  readonly submit: (values: PatternValues) => Promise<void>
  readonly onCancel: () => void
}

type Field = 'name' | 'pattern'

export function PatternForm({ before, submit, onCancel }: Props) {
  const { t } = useText()
  const [name, setName] = useState(before?.name ?? '')
  const [pattern, setPattern] = useState(before?.pattern ?? '')
  const [category, setCategory] = useState<MemoryCategory>(before?.category ?? 'general')
  const [errors, setErrors] = useState<Partial<Record<Field, Wording>>>({})
  const [busy, setBusy] = useState(false)
  const fields = { name: useRef<HTMLInputElement>(null), pattern: useRef<HTMLInputElement>(null) }
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is where the form begins
  useEffect(() => fields.name.current?.focus(), [])
  const refuse = (found: Partial<Record<Field, Wording>>) => {
    setErrors(found)
    fields[found.name === undefined ? 'pattern' : 'name'].current?.focus()
  }
  const complaints = (): Partial<Record<Field, Wording>> => ({
    ...(name.trim() === '' && { name: (now) => now('memory.patterns.nameMissing') }),
    ...(pattern.trim() === '' && { pattern: (now) => now('memory.patterns.patternMissing') }),
    ...(pattern.length > maxPatternLength && {
      pattern: (now) => now('memory.patterns.patternLong', { count: maxPatternLength }),
    }),
  })
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const found = complaints()
    if (Object.keys(found).length > 0) return refuse(found)
    setBusy(true)
    try {
      await submit({ name: name.trim(), pattern, category })
    } catch (error) {
      setBusy(false)
      const about = (field: Field, now: Translate) =>
        detailOf(error, (path) => path.endsWith(field), now('auth.invalid.form'))
      refuse(
        about('name', t) === undefined
          ? { pattern: (now) => about('pattern', now) ?? messageOf(error, now('memory.settings.notSaved')) }
          : { name: (now) => about('name', now) ?? '' },
      )
    }
  }
  return (
    <form noValidate onSubmit={(event) => void onSubmit(event)}>
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-[1fr_12rem]">
        <TextField
          ref={fields.name}
          label={t('memory.patterns.name')}
          value={name}
          maxLength={maxPatternName}
          error={errors.name?.(t)}
          onChange={(event) => setName(event.target.value)}
          autoComplete="off"
        />
        <SelectField
          label={t('memory.form.category')}
          options={useCategoryOptions()}
          value={category}
          onChange={setCategory}
        />
      </div>
      <TextField
        ref={fields.pattern}
        label={t('memory.patterns.pattern')}
        hint={t('memory.patterns.patternHint')}
        value={pattern}
        error={errors.pattern?.(t)}
        onChange={(event) => setPattern(event.target.value)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        className="mt-3"
      />
      <div className="mt-4 flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>{t('shared.cancel')}</Button>
        <Button type="submit" look="primary" busy={busy}>
          {t('memory.save')}
        </Button>
      </div>
    </form>
  )
}
