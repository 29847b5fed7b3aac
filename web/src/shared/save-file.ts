/** Milliseconds after which a file that was handed to the browser is let go. */
const releaseMs = 60_000

/** Lets the browser save a text, or bytes that are already there as a blob, under this name. */
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

/** Saves what the server sent as a file of the person's, under the name that the server gives it, else `fallback`. */
export async function saveResponse(response: Response, fallback: string): Promise<void> {
  saveFile(nameOf(response) ?? fallback, await response.blob())
}

/** The name that the server gives the file; null when it gives none that can be read. */
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
