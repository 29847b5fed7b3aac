let origin: Promise<string> = Promise.resolve('')
let known: string | null = null

/** Origin of the API, such as `https://api.example.org`; empty where it is the page's own. */
export const apiOrigin = (): Promise<string> => origin

/** The same where it has been read, so that a call can be made before anything else happens; null until then. */
export const knownApiOrigin = (): string | null => known

/** Reads `/config.json`, which the operator writes; calls made meanwhile wait for it, the page does not. */
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
    // A server without the file serves the API as well; one that cannot be reached is noticed by the first call.
    return ''
  }
}
