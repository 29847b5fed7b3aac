import { useEffect, useRef } from 'react'
import { useText } from '../../../../shared/i18n/index.ts'
import { classNames } from '../../../../shared/ui/index.ts'
import type { CommandName, SlashCommand } from './slash-commands.ts'

interface Props {
  readonly id: string
  readonly commands: readonly SlashCommand[]
  /** Where the arrow keys are. */
  readonly active: number
  readonly onPick: (name: CommandName) => void
}

/** The commands above the field, whose keys move in it; the field keeps the focus. */
export function SlashMenu({ id, commands, active, onPick }: Props) {
  const { t } = useText()
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the active one is what has to be seen
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={t('composer.commands.title')}
      className="absolute inset-x-0 bottom-full z-20 mb-2 max-h-72 overflow-y-auto rounded-xl border border-line-strong bg-overlay p-1 shadow-float"
    >
      {commands.map((command, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field holds the focus and takes the keys for all options
        // biome-ignore lint/a11y/useFocusableInteractive: options are reached through aria-activedescendant
        <div
          key={command.name}
          id={`${id}-${command.name}`}
          role="option"
          aria-selected={index === active}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onPick(command.name)}
          className={classNames(
            'flex min-h-9 cursor-pointer items-center gap-3 rounded-row px-2.5 hover:bg-hover pointer-coarse:min-h-11',
            index === active && 'bg-active',
          )}
        >
          <code className="w-20 shrink-0 font-mono text-sm text-brand">/{command.name}</code>
          <span className="min-w-0 truncate text-sm text-ink-2">{t(command.description)}</span>
        </div>
      ))}
    </div>
  )
}
