import { access } from 'node:fs/promises'

/** Whether a file or folder exists and is visible to this process. */
export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
