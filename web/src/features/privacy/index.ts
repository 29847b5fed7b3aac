import { lazy } from 'react'

/** `/privacy`, loaded on demand. */
export const PrivacyPage = lazy(async () => ({ default: (await import('./privacy-page.tsx')).PrivacyPage }))
