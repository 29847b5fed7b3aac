import { join } from 'node:path'

/** Folder for `NODE_COMPILE_CACHE` of every process that runs Parley's sources: compiling is half of a start, and all of them compile the same. */
export const compileCache = join(import.meta.dirname, '../../../node_modules/.cache/parley-compile')
