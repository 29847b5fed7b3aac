import type { SettingsPatch } from '@parley/contracts'

/** Saves a part of the settings; returns whether it succeeded. */
export type SaveSettings = (patch: SettingsPatch) => Promise<boolean>
