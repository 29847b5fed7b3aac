import { lazyScreen } from '../../shared/lazy/index.ts'

export const DocsPage = lazyScreen(async () => (await import('./docs-page.tsx')).DocsPage)
