import { lazyScreen } from '../../shared/lazy/index.ts'

export { SectionList } from './section-list.tsx'

export const ProfileTab = lazyScreen(async () => (await import('./profile-tab.tsx')).ProfileTab)

export const AppearanceTab = lazyScreen(async () => (await import('./appearance/appearance-tab.tsx')).AppearanceTab)

export const PreferencesTab = lazyScreen(async () => (await import('./preferences/preferences-tab.tsx')).PreferencesTab)

export const KeysTab = lazyScreen(async () => (await import('./keys/keys-tab.tsx')).KeysTab)

export const UsageTab = lazyScreen(async () => (await import('./usage/usage-tab.tsx')).UsageTab)

/** `/profile/memory` around the panel passed to it, loaded on demand. */
export const MemoryTab = lazyScreen(async () => (await import('./memory-tab.tsx')).MemoryTab)
