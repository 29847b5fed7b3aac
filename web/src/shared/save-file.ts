/** Milliseconds after which the `blob:` URL of a saved file is revoked. */
const releaseMs = 60_000

/** Downloads a text or blob under this name. */
export function saveFile(name: string, content: string | Blob, type = 'text/plain'): void {
  const blob = typeof content === 'string' ? new Blob([content], { type: `${type};charset=utf-8` }) : content
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Browsers read the bytes some time after the click.
  setTimeout(() => URL.revokeObjectURL(url), releaseMs)
}

/** Downloads a response as a file, under the name from the server or else `fallback`. */
export async function saveResponse(response: Response, fallback: string): Promise<void> {
  saveFile(nameOf(response) ?? fallback, await response.blob())
}

/** The file name from the server; null if it is missing or invalid. */
function nameOf(response: Response): string | null {
  const disposition = response.headers.get('content-disposition') ?? ''
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1]
  const plain = /filename="([^"]+)"/i.exec(disposition)?.[1]
  try {
    return encoded ? decodeURIComponent(encoded) : (plain ?? null)
  } catch {
    return plain ?? null
  }
}
