import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Path of `helm`: `HELM_BIN`, else the first in PATH; undefined if there is none. */
export const helmProgram = (environment: NodeJS.ProcessEnv = process.env): string | undefined =>
  environment.HELM_BIN ||
  (environment.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'helm'))
    .find((file) => existsSync(file))
