/** Least milliseconds between two checks. */
const pauseMs = 30_000

/**
 * Checks whether the server has another version when a part of the page cannot be loaded, because the files of an old version are gone. This also works
 * where browsers forbid service workers, as they do on pages without TLS. Calls `act` once.
 */
export function onOtherVersion(act: () => void): void {
  const scripts = [...document.querySelectorAll('script[type="module"][src]')].map((script) =>
    script.getAttribute('src'),
  )
  let checkedAt = Number.NEGATIVE_INFINITY
  const check = async () => {
    if (performance.now() - checkedAt < pauseMs) return
    checkedAt = performance.now()
    const page = await fetch('/', { cache: 'no-store' })
    if (!page.ok || !isOtherVersion(await page.text(), scripts)) return
    removeEventListener('vite:preloadError', listener)
    act()
  }
  // While the server is away, nothing is known.
  const listener = () => void check().catch(() => undefined)
  addEventListener('vite:preloadError', listener)
}

/** Whether a page is the application's, without one of these scripts. */
export const isOtherVersion = (page: string, scripts: readonly (string | null)[]): boolean =>
  /<script[^>]+src="\/assets\//.test(page) && !scripts.every((script) => page.includes(`src="${script}"`))
