import { lazy } from 'react'

/** `/data-export`, loaded on demand. */
export const DownloadPage = lazy(async () => ({ default: (await import('./download-page.tsx')).DownloadPage }))
/** `/privacy`, loaded on demand. */
export const PrivacyPage = lazy(async () => ({ default: (await import('./privacy-page.tsx')).PrivacyPage }))
