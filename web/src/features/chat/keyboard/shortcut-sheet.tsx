import type { ReactNode } from 'react'
import { type MessageId, useText } from '../../../shared/i18n/index.ts'
import { defaultKeys, type KeyCombination, shortcutNames } from '../../../shared/keyboard/index.ts'
import { Button, Dialog, Kbd } from '../../../shared/ui/index.ts'
import { slashCommands } from '../composer/commands/slash-commands.ts'
import { ShortcutRow } from './shortcut-row.tsx'
import { useRecorder } from './use-recorder.ts'

interface FieldKey extends KeyCombination {
  readonly label: MessageId
}

const fieldKeys = [
  { key: 'Enter', label: 'composer.keys.send' },
  { key: 'Enter', shift: true, label: 'composer.keys.newLine' },
  { key: 'ArrowUp', label: 'composer.keys.editLast' },
  { key: 'ArrowUp', alt: true, label: 'composer.keys.earlierPrompt' },
  { key: 'KeyV', mod: true, shift: true, label: 'composer.keys.pasteWhole' },
  { key: '@', label: 'composer.keys.model' },
  { key: '#', label: 'composer.keys.file' },
] as const satisfies readonly FieldKey[]

/** All keys and commands at a glance, and where shortcuts are customised. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const { t } = useText()
  const recorder = useRecorder()
  const isChanged = shortcutNames.some((name) => recorder.keys[name] !== defaultKeys[name])
  return (
    <Dialog open onClose={onClose} title={t('composer.keys.title')}>
      <dl className="divide-y divide-line">
        {shortcutNames.map((name) => (
          <ShortcutRow key={name} name={name} recorder={recorder} />
        ))}
      </dl>
      <div className="mt-2 flex items-center justify-between gap-4">
        <p className="text-2xs text-ink-3">{t('composer.keys.kept')}</p>
        <Button
          size="small"
          // Not `disabled`, so that it keeps the focus.
          aria-disabled={!isChanged}
          onClick={() => isChanged && recorder.resetAll()}
          className="aria-disabled:cursor-default aria-disabled:opacity-50"
        >
          {t('composer.keys.resetAll')}
        </Button>
      </div>
      <h3 className="mt-5 mb-1 font-semibold">{t('composer.keys.field')}</h3>
      <dl className="divide-y divide-line">
        {fieldKeys.map((keys) => (
          <Row key={keys.label} name={t(keys.label)}>
            <Kbd keys={keys} />
          </Row>
        ))}
      </dl>
      <h3 className="mt-5 mb-1 font-semibold">{t('composer.commands.title')}</h3>
      <dl className="divide-y divide-line">
        {slashCommands.map((command) => (
          <Row key={command.name} name={t(command.description)}>
            <code dir="ltr" className="font-mono text-sm">
              /{command.name}
            </code>
          </Row>
        ))}
      </dl>
      <p role="status" className="sr-only">
        {recorder.said}
      </p>
    </Dialog>
  )
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-4 py-2">
      <dt className="text-ink-2">{name}</dt>
      <dd className="shrink-0">{children}</dd>
    </div>
  )
}
