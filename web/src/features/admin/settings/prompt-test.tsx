import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { Button, SelectField, TextField } from '../../../shared/ui/index.ts'
import { modelsQuery } from '../models/model-queries.ts'
import { TestOutcome, useModelTest } from '../models/use-model-test.tsx'
import { Form } from '../parts/form.tsx'
import { Loaded } from '../parts/loaded.tsx'

const longestQuestion = 2_000

/** Asks a model a question with the prompt in the form, saved or not. */
export function PromptTest({ systemPrompt }: { systemPrompt: string }) {
  const { t } = useText()
  const models = useQuery(modelsQuery)
  const [chosen, choose] = useState<string>()
  const [question, setQuestion] = useState(() => t('settings.test.example'))
  const { test, busy, outcome } = useModelTest()
  return (
    <Loaded query={models} failed={t('registry.failed')} shape={['60%']}>
      {(all) => {
        const offered = all.filter(({ enabled, modelType }) => enabled && modelType === 'text')
        const id = offered.find((model) => model.id === chosen)?.id ?? offered[0]?.id
        return (
          <Form
            aria-label={t('settings.test')}
            onSubmit={() => {
              if (id !== undefined) void test({ id, trial: { systemPrompt, question } })
            }}
          >
            <div className="grid grid-cols-1 items-start gap-3 lg:grid-cols-[1fr_2fr]">
              <SelectField
                label={t('settings.test.model')}
                value={id ?? ''}
                onChange={choose}
                options={offered.map((model) => ({ name: model.id, text: model.name }))}
              />
              <TextField
                label={t('settings.test.question')}
                value={question}
                maxLength={longestQuestion}
                onChange={({ target }) => setQuestion(target.value)}
              />
            </div>
            <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
              <p className="text-sm text-ink-3">{t('settings.test.hint')}</p>
              <Button type="submit" busy={busy} disabled={id === undefined || question.trim() === ''}>
                {t('settings.test')}
              </Button>
            </div>
            <TestOutcome outcome={outcome} className="mt-3" />
          </Form>
        )
      }}
    </Loaded>
  )
}
