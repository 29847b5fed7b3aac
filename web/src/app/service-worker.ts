import { registerSW } from 'virtual:pwa-register'
import type { I18n } from '@lingui/core'
import type { MessageId } from '../shared/i18n/messages.ts'
import { notify } from '../shared/ui/index.ts'

/** Milliseconds between looks for a new version, in a page that stays open. */
const lookMs = 60 * 60 * 1000

/**
 * Registers the service worker, which opens the application without a network, and offers a new version once it is there. The page goes on as it is
 * until the person reloads it: drafts are kept in the browser, and a running answer goes on without a page.
 */
export function startServiceWorker(i18n: I18n): void {
  const t = (id: MessageId): string => i18n._(id)
  const reload = () => {
    // The library does so only in pages that a worker already had when they were opened.
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
    void takeOver()
  }
  const takeOver = registerSW({
    immediate: true,
    onNeedRefresh: () => {
      notify.info(t('shared.version.new'), {
        id: 'version',
        duration: Number.POSITIVE_INFINITY,
        action: { label: t('shared.version.reload'), onClick: reload },
      })
    },
    onRegisteredSW: (_url, registration) => {
      // A browser in which workers are forbidden registers none.
      if (!registration) return
      void navigator.serviceWorker.ready.then(keepLoaded)
      // Without a network the next look finds it.
      setInterval(() => registration.update().catch(() => undefined), lookMs)
    },
  })
}

/** Has the worker keep what was loaded before it was there: it comes from the browser's own cache, not over the network again. */
function keepLoaded({ active }: ServiceWorkerRegistration): void {
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
  const urlsToCache = loaded.filter((url) => url.startsWith(`${location.origin}/assets/`))
  active?.postMessage({ type: 'CACHE_URLS', payload: { urlsToCache } })
}
