/** Copies a text to the clipboard, where the browser can also as HTML for rich-text programs; resolves to false when it refuses. */
export async function copyText(text: string, html: string | null = null): Promise<boolean> {
  if (navigator.clipboard) {
    const written =
      html === null || typeof ClipboardItem === 'undefined'
        ? navigator.clipboard.writeText(text)
        : navigator.clipboard.write([itemOf(text, html)])
    return written.then(
      () => true,
      () => false,
    )
  }
  // Pages on plain HTTP have no clipboard object.
  const area = document.createElement('textarea')
  area.value = text
  area.style.position = 'fixed'
  area.style.opacity = '0'
  const focused = document.activeElement
  // Outside of an open dialog nothing can be selected.
  const around = focused?.closest('dialog') ?? document.body
  around.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  return done
}

const itemOf = (text: string, html: string) =>
  new ClipboardItem({
    'text/plain': new Blob([text], { type: 'text/plain' }),
    'text/html': new Blob([html], { type: 'text/html' }),
  })
