import type { SettingsPatch } from '@parley/contracts'
import { Switch } from '../../../shared/ui/index.ts'
import { useReadOnly } from '../parts/read-only.tsx'
import type { SaveSettings } from './save-settings.ts'

interface Props {
  readonly label: string
  readonly hint: string
  readonly value: boolean
  readonly save: SaveSettings
  readonly patch: (value: boolean) => SettingsPatch
}

/** A boolean setting that is saved as soon as it is switched. */
export const SwitchSetting = ({ value, save, patch, ...words }: Props) => (
  <Switch {...words} checked={value} disabled={useReadOnly()} onChange={(checked) => void save(patch(checked))} />
)
