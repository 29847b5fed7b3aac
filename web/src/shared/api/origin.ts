let origin: Promise<string> = Promise.resolve('')
let known: string | null = null

/** Origin of the API, such as `https://api.example.org`; empty if it is the page's own. */
export const apiOrigin = (): Promise<string> => origin

/** The origin if it has been read, so that a call can be made synchronously; null before. */
export const knownApiOrigin = (): string | null => known

/** Reads `/config.json`, which the operator provides. Calls wait for it, the page does not. */
export function readApiOrigin(): void {
  const reading = fetchOrigin()
  known = null
  origin = reading
  void reading.then((found) => {
    if (origin === reading) known = found
  })
}

async function fetchOrigin(): Promise<string> {
  try {
    const response = await fetch('/config.json', { signal: AbortSignal.timeout(5_000) })
    const { apiUrl } = (await response.json()) as { apiUrl?: unknown }
    return typeof apiUrl === 'string' ? apiUrl.replace(/\/+$/, '') : ''
  } catch {
    // Without the file the page's own server serves the API; if it is unreachable, the first call reports that.
    return ''
  }
}
