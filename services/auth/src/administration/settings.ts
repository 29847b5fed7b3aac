import {
  type AdminSettings,
  defaultSettings,
  type Settings,
  type SettingsAnswer,
  type SettingsPatch,
  settingsSchema,
} from '@parley/contracts'

/** The settings; `version` grows with every change. */
export interface VersionedSettings {
  readonly version: number
  readonly settings: Settings
}

/** Any subset of the settings, nested ones too. */
export type SettingsChanges = Omit<SettingsPatch, 'registrationEnabled' | 'version'>

/** The defaults with changes on top. Settings that are not known any more are dropped. */
export function settingsOf(changes: unknown): Settings {
  const merged = mergeDeep(defaultSettings, changes) as Settings
  return settingsSchema.parse(Object.fromEntries(Object.entries(merged).filter(([name]) => name in defaultSettings)))
}

/** Changes with later ones on top. */
export const addChanges = (changes: unknown, later: SettingsChanges): unknown => mergeDeep(changes, later)

function mergeDeep(base: unknown, change: unknown): unknown {
  if (change === undefined) return base
  if (!isRecord(base) || !isRecord(change)) return change
  const names = new Set([...Object.keys(base), ...Object.keys(change)])
  return Object.fromEntries([...names].map((name) => [name, mergeDeep(base[name], change[name])]))
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * A PATCH's change of the settings. `registrationEnabled` and `registration.local` are one setting: a client that sends both, such as one
 * that sends everything back, means the one that differs from the present.
 */
export function changesOf(
  { registrationEnabled, version: _version, ...patch }: SettingsPatch,
  present: Settings,
): SettingsChanges {
  const asked = [registrationEnabled, patch.registration?.local].filter((value) => value !== undefined)
  if (asked.length === 0) return patch
  const before = present.registration.local
  const local = asked.some((value) => value !== before) ? !before : before
  return { ...patch, registration: { ...patch.registration, local } }
}

/** The settings as they are answered: one of them goes by two names. */
export const presentSettings = (settings: Settings): SettingsAnswer => ({
  ...settings,
  registrationEnabled: settings.registration.local,
})

/** The same as admins edit them. */
export const presentAdminSettings = ({ settings, version }: VersionedSettings): AdminSettings => ({
  ...presentSettings(settings),
  version,
})
