import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { keysQuery } from '../../shared/api/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { AnswerText } from '../../shared/message/answer-text.tsx'
import { Button, PasswordField, SelectField } from '../../shared/ui/index.ts'
import { useReader } from './reader.ts'
import { useCompletion } from './use-completion.ts'

/** A form that calls the API with the reader's key, like a program, and streams the answer. */
export function TryIt({ models }: { models: readonly { readonly id: string; readonly name: string }[] }) {
  const { t } = useText()
  const { values, madeKey } = useReader()
  const client = useQueryClient()
  const promptId = useId()
  const [entered, setEntered] = useState<string | null>(null)
  const [chosen, choose] = useState<string | null>(null)
  // The models may become known or change while the form is filled in.
  const model = models.find(({ id }) => id === chosen)?.id ?? values.textModel
  const [prompt, setPrompt] = useState(t('docs.tryIt.promptDefault'))
  const [tried, setTried] = useState(false)
  const completion = useCompletion()
  const apiKey = (entered ?? madeKey ?? '').trim()
  const promptError = tried && prompt.trim() === '' ? t('docs.tryIt.promptMissing') : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (apiKey === '' || prompt.trim() === '' || completion.running) return
    void completion.begin({ origin: values.origin, apiKey, model, prompt }).then(() => {
      void client.invalidateQueries({ queryKey: keysQuery.queryKey })
    })
  }
  return (
    <form
      noValidate
      onSubmit={submit}
      className="flex flex-col gap-4 rounded-card border border-line bg-raised p-4 md:p-5"
    >
      <PasswordField
        label={t('docs.tryIt.key')}
        hint={t('docs.tryIt.keyHint')}
        error={tried && apiKey === '' ? t('docs.tryIt.keyMissing') : undefined}
        autoComplete="off"
        dir="ltr"
        value={entered ?? madeKey ?? ''}
        onChange={({ target }) => setEntered(target.value)}
      />
      <SelectField
        label={t('docs.tryIt.model')}
        value={model}
        onChange={choose}
        options={models.map(({ id, name }) => ({ name: id, text: name }))}
      />
      <div>
        <label htmlFor={promptId} className="mb-1.5 block text-sm font-medium">
          {t('docs.tryIt.prompt')}
        </label>
        <textarea
          id={promptId}
          dir="auto"
          rows={2}
          value={prompt}
          aria-invalid={promptError !== undefined}
          aria-describedby={promptError && `${promptId}-error`}
          onChange={({ target }) => setPrompt(target.value)}
          className="w-full rounded-card border border-field-line bg-overlay p-3 text-base outline-none focus:border-brand focus:ring-3 focus:ring-brand-weak max-md:text-[1rem]"
        />
        {promptError && (
          <p id={`${promptId}-error`} className="mt-1.5 text-sm text-danger">
            {promptError}
          </p>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" look="primary" busy={completion.running}>
          {t('docs.tryIt.send')}
        </Button>
        {completion.running && <Button onClick={completion.stop}>{t('docs.tryIt.stop')}</Button>}
      </div>
      <Answer {...completion} />
    </form>
  )
}

function Answer({ text, ending, running }: ReturnType<typeof useCompletion>) {
  const { t } = useText()
  const said = running ? t('docs.tryIt.running') : ''
  return (
    <div className="flex flex-col gap-3 empty:hidden">
      {text !== '' && (
        // biome-ignore lint/a11y/useSemanticElements: a section would be a landmark of the page
        <div
          role="group"
          aria-label={t('docs.tryIt.answer')}
          aria-busy={running}
          dir="auto"
          className="border-t border-line pt-4"
        >
          <AnswerText text={text} growing={running} />
        </div>
      )}
      <p role="status" className="text-sm text-ink-2 empty:hidden">
        {said}
        {ending?.type === 'cost' && t('docs.tryIt.cost', ending)}
        {ending?.type === 'stopped' && t('docs.tryIt.stopped')}
      </p>
      <p role="alert" className="text-sm text-danger empty:hidden">
        {ending?.type === 'failed' && t('docs.tryIt.failed')}
        {ending?.type === 'refused' &&
          (ending.status === 0
            ? ending.message
            : t('docs.tryIt.refused', { status: String(ending.status), message: ending.message }))}
      </p>
    </div>
  )
}
