import { lazyPart } from '../../shared/lazy/index.ts'

export { SectionList } from './section-list.tsx'

/** `/profile`, loaded on demand. */
export const ProfileTab = lazyPart(async () => (await import('./profile-tab.tsx')).ProfileTab)

/** `/profile/appearance`, loaded on demand. */
export const AppearanceTab = lazyPart(async () => (await import('./appearance/appearance-tab.tsx')).AppearanceTab)

/** `/profile/preferences`, loaded on demand. */
export const PreferencesTab = lazyPart(async () => (await import('./preferences/preferences-tab.tsx')).PreferencesTab)

/** `/profile/keys`, loaded on demand. */
export const KeysTab = lazyPart(async () => (await import('./keys/keys-tab.tsx')).KeysTab)

/** `/profile/usage`, loaded on demand. */
export const UsageTab = lazyPart(async () => (await import('./usage/usage-tab.tsx')).UsageTab)

/** `/profile/memory` around the panel passed to it, loaded on demand. */
export const MemoryTab = lazyPart(async () => (await import('./memory-tab.tsx')).MemoryTab)
