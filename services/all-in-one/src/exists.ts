import { access } from 'node:fs/promises'

/** Whether there is a file or folder that this process can see. */
export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
