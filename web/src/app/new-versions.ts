import { registerSW } from 'virtual:pwa-register'
import { notify } from '../shared/ui/index.ts'
import { onOtherVersion } from './version-check.ts'

/** Milliseconds between checks for a new version while a page stays open. */
const lookMs = 60 * 60 * 1000

/**
 * Registers the service worker, which opens the application offline, and offers new versions. The page continues unchanged
 * until the user reloads it: drafts are stored in the browser, and a running answer continues without a page.
 */
export function offerNewVersions(): void {
  onOtherVersion(() => offer(() => location.reload()))
  const reload = () => {
    // The library does this only on pages that were opened with a worker.
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
    void takeOver()
  }
  const takeOver = registerSW({
    immediate: true,
    onNeedRefresh: () => offer(reload),
    onRegisteredSW: (_url, registration) => {
      // No registration where the browser forbids workers.
      if (!registration) return
      void navigator.serviceWorker.ready.then(keepLoaded)
      // Offline, the next check finds it.
      setInterval(() => registration.update().catch(() => undefined), lookMs)
    },
  })
}

function offer(reload: () => void): void {
  notify.info((now) => now('shared.version.new'), {
    id: 'version',
    isOfPage: true,
    duration: Number.POSITIVE_INFINITY,
    action: { label: (now) => now('shared.version.reload'), onClick: reload },
  })
}

/** Makes the worker cache what was loaded before it started, which comes from the browser's HTTP cache. */
function keepLoaded({ active }: ServiceWorkerRegistration): void {
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
  const urlsToCache = loaded.filter((url) => url.startsWith(`${location.origin}/assets/`))
  active?.postMessage({ type: 'CACHE_URLS', payload: { urlsToCache } })
}
