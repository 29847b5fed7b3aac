import type { SettingsPatch } from '@parley/contracts'

/** Saves a part of the settings; answers whether it worked. */
export type SaveSettings = (patch: SettingsPatch) => Promise<boolean>
