import type { SettingsPatch } from '@parley/contracts'
import { Switch } from '../parts/switch.tsx'
import type { SaveSettings } from './save-settings.ts'

interface Props {
  readonly label: string
  readonly hint: string
  readonly value: boolean
  readonly save: SaveSettings
  readonly patch: (value: boolean) => SettingsPatch
}

/** A boolean setting that is saved as soon as it is switched. */
export const SwitchSetting = ({ label, hint, value, save, patch }: Props) => (
  <div className="flex items-center justify-between gap-4 px-4 py-3.5 md:px-5">
    <div className="min-w-0">
      <p className="font-medium">{label}</p>
      <p className="text-sm text-ink-2">{hint}</p>
    </div>
    <Switch label={label} checked={value} onChange={(checked) => void save(patch(checked))} />
  </div>
)
