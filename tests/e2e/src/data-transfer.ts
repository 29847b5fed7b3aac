import type { Locator, Page } from 'playwright-core'
import type { SampleFile } from './sample-files.ts'

/** The page's drag and clipboard API; the functions below run in the page. */
interface Transfer {
  readonly items: { add(file: unknown): void }
  setData(type: string, text: string): void
}
declare const DataTransfer: new () => Transfer
declare const ClipboardEvent: new (type: string, init: object) => Event
declare const DragEvent: new (type: string, init: object) => Event

/** Drops files on an element, or pastes them into it. */
export async function transferFiles(
  target: Locator,
  how: 'drop' | 'paste',
  files: readonly SampleFile[],
): Promise<void> {
  const given = files.map(({ name, mimeType, buffer }) => ({ name, mimeType, base64: buffer.toString('base64') }))
  await target.evaluate(
    (element, [type, all]) => {
      const transfer = new DataTransfer()
      for (const { name, mimeType, base64 } of all) {
        const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
        transfer.items.add(new File([bytes], name, { type: mimeType }))
      }
      const init = { bubbles: true, cancelable: true, dataTransfer: transfer, clipboardData: transfer }
      const events =
        type === 'paste'
          ? [new ClipboardEvent('paste', init)]
          : ['dragover', 'drop'].map((name) => new DragEvent(name, init))
      for (const event of events) element.dispatchEvent(event)
    },
    [how, given] as const,
  )
}

/** Pastes text into a field. Resolves to whether the page left the event to the field; a synthetic event inserts nothing. */
export async function pasteText(field: Locator, text: string): Promise<boolean> {
  return await field.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    return element.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }))
  }, text)
}

/** The clipboard's text; the visitor needs the permission to read it. */
export const clipboardText = (page: Page): Promise<string> =>
  page.evaluate(() =>
    (
      globalThis as unknown as { navigator: { clipboard: { readText(): Promise<string> } } }
    ).navigator.clipboard.readText(),
  )
