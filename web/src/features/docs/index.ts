import { lazyScreen } from '../../shared/lazy/index.ts'

/** `/docs/api`, loaded on demand. */
export const DocsPage = lazyScreen(async () => (await import('./docs-page.tsx')).DocsPage)
