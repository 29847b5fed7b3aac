import { lazy } from 'react'

export { SectionList } from './section-list.tsx'

/** `/profile`, loaded on demand. */
export const ProfileTab = lazy(async () => ({ default: (await import('./profile-tab.tsx')).ProfileTab }))

/** `/profile/appearance`, loaded on demand. */
export const AppearanceTab = lazy(async () => ({
  default: (await import('./appearance/appearance-tab.tsx')).AppearanceTab,
}))

/** `/profile/preferences`, loaded on demand. */
export const PreferencesTab = lazy(async () => ({
  default: (await import('./preferences/preferences-tab.tsx')).PreferencesTab,
}))
