import type { ChatMode } from '@parley/contracts'
import { Check, ImagePlus, SlidersHorizontal } from 'lucide-react'
import type { ReactNode } from 'react'
import { useText } from '../../../../shared/i18n/index.ts'
import { IconButton, Menu, MenuItem, MenuSeparator } from '../../../../shared/ui/index.ts'
import { modeInfos } from './mode-info.ts'

interface Props {
  readonly offered: readonly ChatMode[]
  readonly on: readonly ChatMode[]
  /** Null if no image can be generated. */
  readonly image: boolean | null
  /** Guests are told what signing in offers. */
  readonly guest: boolean
  readonly onToggle: (mode: ChatMode) => void
  readonly onImage: () => void
  readonly onSignIn: () => void
}

/** The menu of tools and modes for the next answer. */
export function ToolsMenu({ offered, on, image, guest, onToggle, onImage, onSignIn }: Props) {
  const { t } = useText()
  return (
    <Menu
      label={t('composer.tools.label')}
      trigger={(props) => (
        <IconButton {...props} label={t('composer.tools.label')}>
          <SlidersHorizontal className="size-4.5 shrink-0" />
        </IconButton>
      )}
    >
      {guest ? (
        <MenuItem onSelect={onSignIn}>{t('composer.tools.signIn')}</MenuItem>
      ) : (
        <>
          {modeInfos
            .filter(({ mode }) => offered.includes(mode))
            .map(({ mode, icon: Icon, name, hint }) => (
              <MenuItem key={mode} icon={<Icon />} onSelect={() => onToggle(mode)}>
                <Choice name={t(name)} hint={t(hint)} chosen={on.includes(mode) && image !== true} />
              </MenuItem>
            ))}
          {image !== null && (
            <>
              {offered.length > 0 && <MenuSeparator />}
              <MenuItem icon={<ImagePlus />} onSelect={onImage}>
                <Choice name={t('composer.mode.image')} hint={t('composer.mode.imageHint')} chosen={image} />
              </MenuItem>
            </>
          )}
        </>
      )}
    </Menu>
  )
}

function Choice({ name, hint, chosen }: { name: string; hint: string; chosen: boolean }): ReactNode {
  const { t } = useText()
  return (
    <span className="flex flex-1 items-center gap-4 py-1.5">
      <span className="flex-1">
        <span className="block">{name}</span>
        <span className="block text-2xs text-ink-3">{hint}</span>
      </span>
      {chosen && <Check role="img" aria-label={t('composer.tools.on')} className="size-4 text-brand stroke-2" />}
    </span>
  )
}
