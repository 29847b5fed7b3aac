import { parentPort } from 'node:worker_threads'
import { type ImportQuestion, readImportFile } from './import-file.ts'

/** Reads one file and hands over its content part by part, each on request; the code that started this thread ends it. */
parentPort?.once('message', (question: ImportQuestion) => {
  const parts = readImportFile(question)
  parentPort?.on('message', () => parentPort?.postMessage(parts.next().value))
})
