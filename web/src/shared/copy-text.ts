/** Puts a text on the clipboard, with the same as HTML for programs that take it; false when the browser does not let it. */
export async function copyText(text: string, html: string | null = null): Promise<boolean> {
  if (navigator.clipboard) {
    const written =
      html === null ? navigator.clipboard.writeText(text) : navigator.clipboard.write([itemOf(text, html)])
    return written.then(
      () => true,
      () => false,
    )
  }
  // Pages on plain http have no clipboard object.
  const area = document.createElement('textarea')
  area.value = text
  area.style.position = 'fixed'
  area.style.opacity = '0'
  document.body.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  return done
}

const itemOf = (text: string, html: string) =>
  new ClipboardItem({
    'text/plain': new Blob([text], { type: 'text/plain' }),
    'text/html': new Blob([html], { type: 'text/html' }),
  })
