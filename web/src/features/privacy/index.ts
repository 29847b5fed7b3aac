import { lazyScreen } from '../../shared/lazy/index.ts'

/** `/data-export`, loaded on demand. */
export const DownloadPage = lazyScreen(async () => (await import('./download-page.tsx')).DownloadPage)
/** `/privacy`, loaded on demand. */
export const PrivacyPage = lazyScreen(async () => (await import('./privacy-page.tsx')).PrivacyPage)
