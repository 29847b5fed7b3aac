/** Milliseconds between one try and the next. */
const pausesMs: readonly number[] = [250, 750, 2_000]

/**
 * Imports a part of the application. A try that fails, as the network changed or servers were replaced, is followed by others after growing pauses;
 * without a network the next one waits until there is one. Rejects with the error of the last.
 */
export async function retryImport<T>(load: () => Promise<T>, pauses = pausesMs): Promise<T> {
  for (const pause of pauses) {
    try {
      return await load()
    } catch {
      // The error that counts is that of the last try.
      await (navigator.onLine === false ? untilOnline() : new Promise((resolve) => setTimeout(resolve, pause)))
      await reloadStyles()
    }
  }
  return load()
}

const untilOnline = (): Promise<unknown> =>
  new Promise((resolve) => window.addEventListener('online', resolve, { once: true }))

/** Asks again for style sheets that did not come: the import of a part takes the element of one for the sheet itself. */
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
      // A part without its looks is better than none.
      link.remove()
      resolve()
    })
    document.head.append(link)
  })
}
