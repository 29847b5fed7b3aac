import { builtInSystemPrompt } from '@parley/contracts/constants'
import { useId } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/index.ts'
import { ConflictNotice } from '../parts/conflict-notice.tsx'
import { Meter } from '../parts/fields.tsx'
import { Form } from '../parts/form.tsx'
import { ActButton } from '../parts/read-only.tsx'
import { RestoredNotice } from '../parts/restored-notice.tsx'
import { PromptTest } from './prompt-test.tsx'
import type { SaveSettings } from './save-settings.ts'
import { useEdited } from './use-edited.ts'

/** Maximum length of a prompt. */
const longest = 20_000

interface Props {
  readonly value: string
  readonly version: number
  readonly busy: boolean
  readonly save: SaveSettings
}

/** The system prompt of all chats; if empty, the built-in one applies, which is shown. A prompt can be tested before it is saved. */
export function PromptSetting({ value, version, busy, save }: Props) {
  const { t } = useText()
  const id = useId()
  const edited = useEdited('systemPrompt', value)
  const submit = async () => {
    if (await save({ systemPrompt: edited.value, version })) edited.drop()
  }
  return (
    <div className="divide-y divide-line rounded-card border border-line">
      <Form onSubmit={() => void submit()} className="p-4 md:px-5">
        {edited.isOverrun && !busy && (
          <ConflictNotice
            current={{ [t('settings.prompt')]: value }}
            mine={{ [t('settings.prompt')]: edited.value }}
            onKeep={() => void submit()}
            onTake={edited.drop}
          />
        )}
        {edited.isRestored && <RestoredNotice onDiscard={edited.drop} />}
        <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
          {t('settings.prompt')}
        </label>
        <textarea
          id={id}
          dir="auto"
          rows={6}
          maxLength={longest}
          value={edited.value}
          placeholder={t('settings.promptEmpty')}
          aria-describedby={`${id}-length`}
          onChange={({ target }) => edited.change(target.value)}
          className="w-full rounded-card border border-field-line bg-overlay p-3 text-base outline-none placeholder:text-ink-3 focus:border-brand focus:ring-3 focus:ring-brand-weak max-md:text-[1rem]"
        />
        {edited.value.trim() === '' && (
          <div className="mt-2 rounded-card bg-raised px-3 py-2.5 text-sm">
            <p className="font-medium">{t('settings.promptBuiltIn')}</p>
            <p dir="ltr" lang="en" className="mt-0.5 text-ink-2">
              {builtInSystemPrompt}
            </p>
          </div>
        )}
        <div className="mt-2 flex flex-wrap items-center justify-between gap-2">
          <p id={`${id}-length`} className="text-sm text-ink-3 tabular-nums">
            {t('settings.promptLength', { length: edited.value.length, longest })}
            <Meter isUsed share={edited.value.length / longest} />
          </p>
          <span className="ms-auto flex flex-wrap justify-end gap-2">
            <Button look="quiet" disabled={edited.value === ''} onClick={() => edited.change('')}>
              {t('settings.promptDefault')}
            </Button>
            <ActButton type="submit" look="primary" busy={busy} disabled={!edited.isEdited || edited.isOverrun}>
              {t('settings.save')}
            </ActButton>
          </span>
        </div>
      </Form>
      <div className="p-4 md:px-5">
        <PromptTest systemPrompt={edited.value} />
      </div>
    </div>
  )
}
