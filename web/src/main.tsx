import './app/styles.css'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { prepareScreen } from './app/router.tsx'
import { readApiOrigin } from './shared/api/index.ts'
import { openI18n } from './shared/i18n/index.ts'
import { observeFirstContent } from './shared/lazy/index.ts'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no element with the id root')
readApiOrigin()
const i18n = await openI18n(prepareScreen(location.pathname))
observeFirstContent(root)
// A transition is rendered in slices, between which the browser paints and takes input; at once, the first rendering blocks a phone for a third of a second.
startTransition(() =>
  createRoot(root).render(
    <StrictMode>
      <App i18n={i18n} />
    </StrictMode>,
  ),
)

/** Milliseconds before the worker starts caching, so that it does not compete with the page. */
const calmMs = 2_000
if (import.meta.env.PROD) {
  const start = () =>
    setTimeout(() => {
      // If it cannot be loaded now, the next visit tries again.
      void import('./app/new-versions.ts').then(({ offerNewVersions }) => offerNewVersions()).catch(() => undefined)
    }, calmMs)
  if (document.readyState === 'complete') start()
  else addEventListener('load', start, { once: true })
}
