import { lazyScreen } from '../../shared/lazy/index.ts'

export { SectionList } from './section-list.tsx'

/** `/profile`, loaded on demand. */
export const ProfileTab = lazyScreen(async () => (await import('./profile-tab.tsx')).ProfileTab)

/** `/profile/appearance`, loaded on demand. */
export const AppearanceTab = lazyScreen(async () => (await import('./appearance/appearance-tab.tsx')).AppearanceTab)

/** `/profile/preferences`, loaded on demand. */
export const PreferencesTab = lazyScreen(async () => (await import('./preferences/preferences-tab.tsx')).PreferencesTab)

/** `/profile/keys`, loaded on demand. */
export const KeysTab = lazyScreen(async () => (await import('./keys/keys-tab.tsx')).KeysTab)

/** `/profile/usage`, loaded on demand. */
export const UsageTab = lazyScreen(async () => (await import('./usage/usage-tab.tsx')).UsageTab)

/** `/profile/memory` around the panel passed to it, loaded on demand. */
export const MemoryTab = lazyScreen(async () => (await import('./memory-tab.tsx')).MemoryTab)
