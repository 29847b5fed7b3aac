import type { Hierarchy, HierarchyModel, ProviderId } from '@parley/contracts'
import { useQuery } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { hierarchyQuery } from '../../../shared/api/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { ProviderMark } from '../../../shared/provider-mark/index.ts'
import { IconButton, Menu, MenuGroup, MenuItem } from '../../../shared/ui/index.ts'

interface Props {
  /** Id of the answer's model. */
  readonly model: string | null
  readonly onChoose: (model?: string) => void
}

/** Regenerates an answer with the same or another model. */
export function RegenerateMenu({ model, onChoose }: Props) {
  const { t } = useText()
  const { data: groups = [] } = useQuery({ ...hierarchyQuery, select: answeringModels })
  const same = groups.flatMap(({ models }) => models).find(({ id }) => id === model)
  const price = ({ creditsPerMessage: count }: HierarchyModel) => (
    <span className="ms-auto ps-4 text-2xs text-ink-3 tabular-nums">{t('models.picker.price', { count })}</span>
  )
  return (
    <Menu
      label={t('chat.message.regenerate')}
      trigger={(props) => (
        <IconButton {...props} label={t('chat.message.regenerate')} className="size-8 text-ink-3">
          <RotateCw className="size-4 shrink-0" />
        </IconButton>
      )}
    >
      <MenuItem icon={<RotateCw />} onSelect={() => onChoose(same?.id)}>
        {t('thread.regenerate.same')}
        {same && price(same)}
      </MenuItem>
      {groups.map(({ id, name, models }) => (
        <MenuGroup key={id} label={name} mark={<ProviderMark provider={id} />}>
          {models
            .filter(({ id }) => id !== model)
            .map((other) => (
              <MenuItem key={other.id} onSelect={() => onChoose(other.id)}>
                <span dir="auto" className="truncate">
                  {other.name}
                </span>
                {price(other)}
              </MenuItem>
            ))}
        </MenuGroup>
      ))}
    </Menu>
  )
}

/** The available models, by provider. */
export const answeringModels = ({
  providers,
}: Hierarchy): { id: ProviderId; name: string; models: HierarchyModel[] }[] =>
  providers
    .map(({ id, name, groups }) => ({
      id,
      name,
      models: groups.flatMap(({ models }) => models).filter(({ modelType, locked }) => modelType === 'text' && !locked),
    }))
    .filter(({ models }) => models.length > 0)
