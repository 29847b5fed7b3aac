let origin: Promise<string> = Promise.resolve('')

/** Origin of the API, such as `https://api.example.org`; empty where it is the page's own. */
export const apiOrigin = (): Promise<string> => origin

/** Reads `/config.json`, which the operator writes; calls made meanwhile wait for it, the page does not. */
export function readApiOrigin(): void {
  origin = fetchOrigin()
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
