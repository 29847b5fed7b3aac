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
