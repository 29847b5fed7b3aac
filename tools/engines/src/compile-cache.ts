import { join } from 'node:path'

/** `NODE_COMPILE_CACHE` shared by all processes that run Parley's sources, since compiling takes half of the startup time. */
export const compileCache = join(import.meta.dirname, '../../../node_modules/.cache/parley-compile')
