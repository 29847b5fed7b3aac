/** Milliseconds between attempts. */
const pausesMs: readonly number[] = [250, 750, 2_000]

/**
 * Imports a part of the application, with retries after growing pauses, because networks change and servers are replaced. Offline, it waits
 * for the network. Rejects with the error of the last attempt.
 * @param endless retries until it succeeds, after the last pause again and again
 */
export async function retryImport<T>(load: () => Promise<T>, endless = false, pauses = pausesMs): Promise<T> {
  for (let nth = 0; ; nth += 1) {
    try {
      return await load()
    } catch (error) {
      if (nth >= pauses.length && !endless) throw error
      const pause = pauses[nth] ?? pauses.at(-1)
      await (navigator.onLine === false ? untilOnline() : new Promise((resolve) => setTimeout(resolve, pause)))
      await reloadStyles()
    }
  }
}

const untilOnline = (): Promise<unknown> =>
  new Promise((resolve) => window.addEventListener('online', resolve, { once: true }))

/** Reloads style sheets that failed: the import of a part takes an existing <link> for a loaded sheet. */
async function reloadStyles(): Promise<void> {
  if (typeof document === 'undefined') return
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')]
  // Of several for one sheet the last one counts: it was added here.
  const sheets = new Map(links.map(({ href, sheet }) => [href, sheet]))
  await Promise.all([...sheets].map(([href, sheet]) => sheet ?? addStyles(href)))
}

function addStyles(href: string): Promise<void> {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.crossOrigin = ''
  link.href = href
  return new Promise((resolve) => {
    link.onload = () => resolve()
    link.onerror = () => {
      // A part without styles is better than none.
      link.remove()
      resolve()
    }
    document.head.append(link)
  })
}
