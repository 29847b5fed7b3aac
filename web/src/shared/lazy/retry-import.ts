/** Milliseconds between attempts. */
const pausesMs: readonly number[] = [250, 750, 2_000]

/**
 * Imports a part of the application, with retries after growing pauses, because networks change and servers are replaced. Offline, it waits
 * for the network. Rejects with the error of the last attempt.
 */
export async function retryImport<T>(load: () => Promise<T>, pauses = pausesMs): Promise<T> {
  for (const pause of pauses) {
    try {
      return await load()
    } catch {
      // Only the error of the last attempt is thrown.
      await (navigator.onLine === false ? untilOnline() : new Promise((resolve) => setTimeout(resolve, pause)))
      await reloadStyles()
    }
  }
  return load()
}

const untilOnline = (): Promise<unknown> =>
  new Promise((resolve) => window.addEventListener('online', resolve, { once: true }))

/** Reloads style sheets that failed: the import of a part takes an existing <link> for a loaded sheet. */
async function reloadStyles(): Promise<void> {
  if (typeof document === 'undefined') return
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')]
  const loaded = new Set(links.filter(({ sheet }) => sheet !== null).map(({ href }) => href))
  const missing = new Set(links.map(({ href }) => href).filter((href) => !loaded.has(href)))
  await Promise.all([...missing].map(addStyles))
}

function addStyles(href: string): Promise<void> {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.crossOrigin = ''
  link.href = href
  return new Promise((resolve) => {
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => {
      // A part without styles is better than none.
      link.remove()
      resolve()
    })
    document.head.append(link)
  })
}
