import { parentPort } from 'node:worker_threads'
import { type ImportQuestion, readImportFile } from './import-file.ts'

/** Reads one file and hands over what is in it, a part whenever it is asked for the next one; whoever started this thread ends it. */
parentPort?.once('message', (question: ImportQuestion) => {
  const parts = readImportFile(question)
  parentPort?.on('message', () => parentPort?.postMessage(parts.next().value))
})
