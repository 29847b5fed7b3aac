import type { HierarchyModel } from '@parley/contracts'
import { useQuery } from '@tanstack/react-query'
import { RotateCw, Sparkles } from 'lucide-react'
import { hierarchyQuery } from '../../../shared/api/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { IconButton, Menu, MenuItem, MenuSeparator } from '../../../shared/ui/index.ts'

interface Props {
  /** Id of the model that gave the answer. */
  readonly model: string | null
  readonly onChoose: (model?: string) => void
}

/** Asks for another version of an answer, by the same model or by another one. */
export function RegenerateMenu({ model, onChoose }: Props) {
  const { t } = useText()
  const { data: models = [] } = useQuery({ ...hierarchyQuery, select: answeringModels })
  const others = models.filter(({ id }) => id !== model)
  const same = models.find(({ id }) => id === model)
  const icon = { 'aria-hidden': true, className: 'size-4 shrink-0', strokeWidth: 1.6 } as const
  return (
    <Menu
      label={t('chat.message.regenerate')}
      trigger={(props) => (
        <IconButton {...props} label={t('chat.message.regenerate')} className="size-8 text-ink-3">
          <RotateCw {...icon} />
        </IconButton>
      )}
    >
      <div className="max-h-80 max-w-72 overflow-y-auto">
        <MenuItem icon={<RotateCw {...icon} />} onSelect={() => onChoose(same?.id)}>
          {t('thread.regenerate.same')}
        </MenuItem>
        {others.length > 0 && <MenuSeparator />}
        {others.map(({ id, name }) => (
          <MenuItem key={id} icon={<Sparkles {...icon} />} onSelect={() => onChoose(id)}>
            <span dir="auto" className="truncate">
              {name}
            </span>
          </MenuItem>
        ))}
      </div>
    </Menu>
  )
}

interface Named {
  readonly providers: readonly { readonly groups: readonly { readonly models: readonly HierarchyModel[] }[] }[]
}

const answeringModels = ({ providers }: Named): HierarchyModel[] =>
  providers
    .flatMap(({ groups }) => groups.flatMap(({ models }) => models))
    .filter(({ modelType, locked }) => modelType === 'text' && !locked)
