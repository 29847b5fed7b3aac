import { parentPort } from 'node:worker_threads'
import { getDocumentProxy } from 'unpdf'
import type { PdfAnswer, PdfQuestion } from './pdf-reader.ts'

/** Reads one PDF and reports its contents; the code that started this thread ends it. */
async function read({ content, maxPages, maxText }: PdfQuestion): Promise<PdfAnswer> {
  const document = await getDocumentProxy(content, { stopAtErrors: true, verbosity: 0 })
  const pages = document.numPages
  if (pages > maxPages) return { kind: 'too-many-pages' }
  // It says the number itself, which may be negative.
  if (pages < 1) return { kind: 'damaged' }
  let text = ''
  for (let number = 1; number <= pages && text.length <= maxText; number += 1) {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    const words = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
    text += `${number === 1 ? '' : '\n\n'}${words.join('')}`
    page.cleanup()
  }
  return { kind: 'read', pages, text: text.slice(0, maxText).replaceAll('\u0000', '').toWellFormed() }
}

parentPort?.once('message', (question: PdfQuestion) => {
  read(question)
    .catch((error: Error): PdfAnswer => ({ kind: error.name === 'PasswordException' ? 'encrypted' : 'damaged' }))
    .then((answer) => parentPort?.postMessage(answer))
})
