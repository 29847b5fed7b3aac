import { lazyPart } from '../../shared/lazy/index.ts'

/** `/docs/api`, loaded on demand. */
export const DocsPage = lazyPart(async () => (await import('./docs-page.tsx')).DocsPage)
