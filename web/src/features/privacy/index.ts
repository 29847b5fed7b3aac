import { lazyPart } from '../../shared/lazy/index.ts'

/** `/data-export`, loaded on demand. */
export const DownloadPage = lazyPart(async () => (await import('./download-page.tsx')).DownloadPage)
/** `/privacy`, loaded on demand. */
export const PrivacyPage = lazyPart(async () => (await import('./privacy-page.tsx')).PrivacyPage)
