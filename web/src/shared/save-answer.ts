/** Milliseconds after which a file that was handed to the browser is let go. */
const releaseMs = 60_000

/** Saves what the server sent as a file of the person's, under the name that the server gives it, else `fallback`. */
export async function saveAnswer(response: Response, fallback: string): Promise<void> {
  saveFile(await response.blob(), nameOf(response) ?? fallback)
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

function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), releaseMs)
}
