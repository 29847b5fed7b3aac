import type { ChatMode } from '@parley/contracts'
import { ChevronDown, ImagePlus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useText } from '../../../../shared/i18n/index.ts'
import { Menu, MenuItem } from '../../../../shared/ui/index.ts'
import type { ModelSelection } from '../../chat-models.ts'
import { modeInfos } from './mode-info.ts'

const icon = 'size-4 shrink-0'

/** The active modes, each with a button to turn it off. */
export function ModeChips({ on, onRemove }: { on: readonly ChatMode[]; onRemove: (mode: ChatMode) => void }) {
  const { t } = useText()
  return modeInfos
    .filter(({ mode }) => on.includes(mode))
    .map(({ mode, icon: Icon, name }) => (
      <RemovableChip key={mode} name={t(name)} onRemove={() => onRemove(mode)}>
        <Icon className={icon} />
        <span>{t(name)}</span>
      </RemovableChip>
    ))
}

/** The image mode, with a choice of the image model. */
export function ImageChip({ models, model, choose, onRemove }: ModelSelection & { onRemove: () => void }) {
  const { t } = useText()
  return (
    <RemovableChip name={t('composer.mode.image')} onRemove={onRemove}>
      <ImagePlus className={icon} />
      <Menu
        label={t('composer.image.models')}
        trigger={(props) => (
          <button
            {...props}
            type="button"
            title={t('composer.image.models')}
            className="target flex min-w-0 items-center gap-1"
          >
            <span className="max-w-36 truncate">{model?.name ?? t('composer.mode.image')}</span>
            <ChevronDown className="size-3.5 shrink-0" />
          </button>
        )}
      >
        {models.map((one) => (
          <MenuItem key={one.id} checked={one.id === model?.id} disabled={one.locked} onSelect={() => choose(one.id)}>
            <span className="flex-1">{one.name}</span>
            <span className="text-2xs text-ink-2 tabular-nums">
              {one.locked ? t('composer.image.locked') : t('models.picker.price', { count: one.creditsPerMessage })}
            </span>
          </MenuItem>
        ))}
      </Menu>
    </RemovableChip>
  )
}

function RemovableChip({ name, onRemove, children }: { name: string; onRemove: () => void; children: ReactNode }) {
  const { t } = useText()
  return (
    <span className="inline-flex h-8 min-w-0 shrink-0 items-center gap-1.5 whitespace-nowrap rounded-full bg-brand-weak ps-2.5 pe-1 text-brand text-sm pointer-coarse:h-11 pointer-coarse:pe-0">
      {children}
      <button
        type="button"
        aria-label={t('composer.mode.off', { name })}
        title={t('composer.mode.off', { name })}
        onClick={onRemove}
        className="target grid size-6 shrink-0 place-items-center rounded-full hover:bg-hover pointer-coarse:-ms-2 pointer-coarse:size-11"
      >
        <X className="size-3.5 stroke-2" />
      </button>
    </span>
  )
}
