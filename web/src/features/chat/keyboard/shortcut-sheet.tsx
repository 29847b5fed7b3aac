import { type MessageId, useText } from '../../../shared/i18n/index.ts'
import type { KeyCombination } from '../../../shared/key-labels.ts'
import { Dialog, Kbd } from '../../../shared/ui/index.ts'
import { slashCommands } from '../composer/commands/slash-commands.ts'
import { chatShortcuts } from './shortcuts.ts'

interface ComposerKey extends KeyCombination {
  readonly label: MessageId
}

/** What the composer does by itself, for the sheet to show with the rest. */
const composerKeys = [
  { key: 'Enter', label: 'composer.keys.send' },
  { key: 'Enter', shift: true, label: 'composer.keys.newLine' },
  { key: 'ArrowUp', label: 'composer.keys.editLast' },
  { key: 'ArrowUp', alt: true, label: 'composer.keys.earlierPrompt' },
  { key: '@', label: 'composer.keys.model' },
  { key: '#', label: 'composer.keys.file' },
] as const satisfies readonly ComposerKey[]

/** All keys and commands at a glance. */
export function ShortcutSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useText()
  return (
    <Dialog open={open} onClose={onClose} title={t('composer.keys.title')}>
      <dl className="divide-y divide-line">
        {[...Object.values<ComposerKey>(chatShortcuts), ...composerKeys].map((shortcut) => (
          <Row key={shortcut.label} name={t(shortcut.label)}>
            <Kbd keys={shortcut} />
          </Row>
        ))}
      </dl>
      <h3 className="mt-5 mb-1 font-semibold">{t('composer.commands.title')}</h3>
      <dl className="divide-y divide-line">
        {slashCommands.map((command) => (
          <Row key={command.name} name={t(command.description)}>
            <code className="font-mono text-sm">/{command.name}</code>
          </Row>
        ))}
      </dl>
    </Dialog>
  )
}

function Row({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-4 py-2">
      <dt className="text-ink-2">{name}</dt>
      <dd className="shrink-0">{children}</dd>
    </div>
  )
}
