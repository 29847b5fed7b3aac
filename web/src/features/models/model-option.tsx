import type { HierarchyModel } from '@parley/contracts'
import { Brain, Check, FileText, Image, Lock, Wrench } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatCompact } from '../../shared/format.ts'
import { useText } from '../../shared/i18n/index.ts'
import { classNames } from '../../shared/ui/index.ts'

interface Props {
  readonly id: string
  readonly model: HierarchyModel
  /** The current option of the arrow keys. */
  readonly active: boolean
  readonly selected: boolean
  readonly usable: boolean
  readonly onPick: () => void
  readonly onPoint: () => void
}

/** One model in the picker: name, capabilities and price, or why it cannot be chosen. */
export function ModelOption({ id, model, active, selected, usable, onPick, onPoint }: Props) {
  const { t, locale } = useText()
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the search field holds the focus and takes the keys for all options
    // biome-ignore lint/a11y/useFocusableInteractive: options are reached through aria-activedescendant
    <div
      id={id}
      role="option"
      aria-selected={selected}
      aria-disabled={!usable || undefined}
      aria-current={active ? 'true' : undefined}
      onClick={onPick}
      onPointerMove={active ? undefined : onPoint}
      className={classNames(
        'grid min-h-11 scroll-my-1.5 grid-cols-[1fr_auto] items-center gap-x-3 rounded-row px-2.5 py-1.5',
        active && 'bg-active',
        usable ? 'cursor-pointer' : 'cursor-not-allowed',
      )}
    >
      <span className={classNames('flex min-w-0 items-center gap-2', usable ? 'text-ink' : 'text-ink-2')}>
        <bdi className="truncate font-medium">{model.name}</bdi>
        {selected && <Check aria-hidden="true" className="size-4 shrink-0 stroke-2 text-brand" />}
        {model.locked && <Lock className="size-3.5 shrink-0" />}
      </span>
      <span className="flex items-center gap-1.5 text-2xs text-ink-2 tabular-nums">
        {model.supportsThinking && (
          <Ability label={t('models.picker.thinking')} icon={<Brain className="size-3.5" />} />
        )}
        {model.supportsTools && <Ability label={t('models.picker.tools')} icon={<Wrench className="size-3.5" />} />}
        {model.supportsImageAttachments && (
          <Ability label={t('models.picker.images')} icon={<Image className="size-3.5" />} />
        )}
        {model.supportsFileAttachments && (
          <Ability label={t('models.picker.files')} icon={<FileText className="size-3.5" />} />
        )}
        <span className="ms-1">{t('models.picker.price', { count: model.creditsPerMessage })}</span>
      </span>
      <span className="col-span-2 text-2xs text-ink-2">
        {!model.locked && model.available === false && (
          <span className="text-warn">{t('models.picker.unavailable')} · </span>
        )}
        {model.locked ? (
          t('models.locked')
        ) : (
          <>
            <span className="whitespace-nowrap">
              {t('models.picker.context', { tokens: formatCompact(model.contextLength, locale) })}
            </span>
            {model.description && (
              <>
                {' '}
                · <bdi>{model.description}</bdi>
              </>
            )}
          </>
        )}
      </span>
    </div>
  )
}

function Ability({ label, icon }: { label: string; icon: ReactNode }) {
  return (
    <span role="img" aria-label={label} title={label}>
      {icon}
    </span>
  )
}
